import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vocabIri } from '../../src/vocabulary/index.ts'
import { pathOf, sentenceOf } from '../api/signed-in.ts'
import { serveAnyScript, sizesIn } from './scripts.ts'

// docs/contract/hypermedia.md, Contexts: names of any script, in NFC, percent-encoded in addresses.

const JSON_LD = { 'Content-Type': 'application/ld+json' }

// contract: Names of properties are letters and digits of any script
test('names of any script are percent-encoded in addresses, in any spelling of the same bytes', async (t) => {
  const { base, get, post, büro, books } = await serveAnyScript(t)
  assert.match(büro, /\/b%C3%BCros\/[!-~]+$/)
  const created = await post('/b%C3%BCros', { 名: 'Zweites' })
  assert.equal(created.headers.location, created.json()['@id'])
  for (const path of [pathOf(base, books[0]), pathOf(base, books[0]).replace('%E6%9C%AC', '%e6%9c%aC')]) {
    const { status, body } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(JSON.parse(body)['@id'], books[0])
  }
  const entryPoint = (await get('/')).json()
  assert.equal(entryPoint.本, `${base}/%E6%9C%AC`)
  assert.equal(entryPoint.Überblick, `${base}/%C3%9Cberblick`)
  assert.equal((await get('/%C3%9Cberblick')).json()['@id'], `${base}/%C3%9Cberblick`)
  assert.equal((await get('/contexts/B%C3%BCro')).status, 200)
  for (const path of ['/', '/vocab', '/%E6%9C%AC', '/%C3%9Cberblick']) {
    const { headers } = await get(path)
    assert.match(Object.values(headers).join(), /^[\t -~]*$/, path)
  }
})

// contract: Names of properties are letters and digits of any script
test('a name in another Unicode form than NFC is a different name, and the error says so', async (t) => {
  const { get, post } = await serveAnyScript(t)
  const nfd = (text: string) => text.normalize('NFD')
  const wrong = await get(`/${encodeURIComponent(nfd('büros'))}`)
  assert.equal(wrong.status, 404)
  assert.match(sentenceOf(wrong), /"büros".*NFC/)
  assert.match(sentenceOf(await get('/%E6%9C%A8')), /"木".*"本"/)
  for (const query of [`${nfd('größe')}=1`, `${nfd('größe')}[gte]=1`, `sort=${nfd('größe')}`]) {
    const refused = await get(`/%E6%9C%AC?${encodeURI(query)}`)
    assert.equal(refused.status, 400)
    assert.match(sentenceOf(refused), /"größe(?:\[gte\])?".*NFC/)
  }
  const body = await post('/%E6%9C%AC', { [nfd('größe')]: 1, 名前: 'x', größe: 1 })
  assert.equal(body.status, 422)
  assert.match(sentenceOf(body), /本.*"größe".*NFC/)
})

// contract: Names of properties are letters and digits of any script
test('names of any script filter, order, link pages and patch', async (t) => {
  const { base, get, send, post, büro, books } = await serveAnyScript(t)
  const list = async (query: string) => (await get(`/%E6%9C%AC?${query}`)).json()
  const table: [query: string, sizes: number[]][] = [
    ['größe=2', [2]],
    ['größe[gte]=4', [4, 5]],
    ['größe[gte]=4&order[größe]=desc', [5, 4]],
    ['sort=-größe&exists[büro]=true', [5, 3]],
    [`büro=${büro}&sort=größe`, [1, 3]],
    [`büro=${decodeURI(büro)}&sort=größe`, [1, 3]],
    [`büro=${büro.replace('%C3%BC', '%c3%bc')}&sort=größe`, [1, 3]],
    ['मूल्य[lt]=2.500', [1]],
    ['слова=ёж&sort=-größe', [5, 4]],
    ['q=本 3', [3]],
  ]
  for (const [query, sizes] of table) {
    assert.deepEqual(sizesIn(await list(encodeURI(query).replaceAll('%25', '%'))), sizes, query)
  }
  const seen: unknown[] = []
  for (let next: unknown = `${base}/%E6%9C%AC?order%5Bgr%C3%B6%C3%9Fe%5D=desc`; next !== undefined; ) {
    assert.match(String(next), /^[!-~]+$/)
    const page = (await get(pathOf(base, next))).json()
    seen.push(...sizesIn(page))
    next = (page.view as { readonly next?: string }).next
  }
  assert.deepEqual(seen, [5, 4, 3, 2, 1])

  const patched = await send(
    'PATCH',
    pathOf(base, books[1]),
    { 'Content-Type': 'application/merge-patch+json' },
    JSON.stringify({ größe: 22, büro: decodeURI(büro), maß: { länge: '2', amtBüro: büro } }),
  )
  assert.equal(patched.status, 200, patched.body)
  assert.equal(patched.json().büro, büro)
  assert.deepEqual(sizesIn(await list('gr%C3%B6%C3%9Fe%5Bgt%5D=5')), [22])

  const refused = await post(
    '/%E6%9C%AC',
    { größe: 0, मूल्य: '22.5', büro: `${base}/büros/nobody`, maß: { länge: 'x' } },
    { ...JSON_LD, Accept: 'application/problem+json' },
  )
  const { violations } = refused.json() as {
    readonly violations: readonly { readonly propertyPath: string }[]
  }
  assert.deepEqual(
    violations.map(({ propertyPath }) => propertyPath).sort(),
    ['größe', 'büro', 'maß/länge', '名前'].sort(),
  )
  const linked = await send('DELETE', pathOf(base, büro))
  assert.equal(linked.status, 409)
  assert.match(sentenceOf(linked), /\/%E6%9C%AC\//)
})

test('a representation can be sent back, also with the IRIs of its names', async (t) => {
  const { base, get, post, add, books } = await serveAnyScript(t)
  const { '@id': _, मूल्य, ...book } = (await get(pathOf(base, books[0]))).json()
  const { '@id': again, '@context': __, ...same } = await add('/%E6%9C%AC', book)
  assert.deepEqual({ '@context': book['@context'], ...same }, book)
  assert.notEqual(again, books[0])
  const expanded = {
    '@type': vocabIri(base, '本'),
    [vocabIri(base, '本/größe')]: 7,
    [vocabIri(base, '本/名前')]: 'x',
  }
  const prefixed = { '@context': { '@vocab': vocabIri(base, '本/') }, größe: 8, 名前: 'y' }
  const named = { '@context': `${base}/contexts/%E6%9C%AC`, größe: 9, 名前: 'z' }
  for (const body of [expanded, prefixed, named]) {
    const response = await post('/%E6%9C%AC', body)
    assert.equal(response.status, 201, response.body)
  }
})
