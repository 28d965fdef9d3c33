import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHydraDocumentation } from '@api-platform/api-doc-parser'
import { createClient } from '../../src/client/index.ts'
import { vocabIri } from '../../src/vocabulary/contexts.ts'
import { RDF } from '../../src/vocabulary/names.ts'
import { quadsOf } from '../api/rdf.ts'
import { assertSame, quadsOfText } from '../api/rdf-text.ts'
import { pathOf, sentenceOf } from '../api/signed-in.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { type Collection, createAlcaeus, load } from './alcaeus.ts'
import { serveAnyScript, sizesIn } from './any-script.ts'

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
test('a name in another Unicode form than NFC is another name, and the answer says so', async (t) => {
  const { get, post } = await serveAnyScript(t)
  const nfd = (text: string) => text.normalize('NFD')
  const wrong = await get(`/${encodeURIComponent(nfd('büros'))}`)
  assert.equal(wrong.status, 404)
  assert.match(sentenceOf(wrong), /did you mean "büros", in Unicode's form NFC\?$/)
  assert.match(sentenceOf(await get('/%E6%9C%A8')), /^No collection is named "木"; did you mean "本"\?$/)
  for (const query of [`${nfd('größe')}=1`, `${nfd('größe')}[gte]=1`, `sort=${nfd('größe')}`]) {
    const refused = await get(`/%E6%9C%AC?${encodeURI(query)}`)
    assert.equal(refused.status, 400)
    assert.match(sentenceOf(refused), /did you mean "größe(?:\[gte\])?", in Unicode's form NFC\?$/)
  }
  const body = await post('/%E6%9C%AC', { [nfd('größe')]: 1, 名前: 'x', größe: 1 })
  assert.equal(body.status, 422)
  assert.match(sentenceOf(body), /is not a property of 本; did you mean "größe", in Unicode's form NFC\?$/)
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
    ['größe', 'maß/länge', '名前'].sort(),
  )
  const linked = await send('DELETE', pathOf(base, büro))
  assert.equal(linked.status, 409)
  assert.match(sentenceOf(linked), /\/%E6%9C%AC\//)
})

// contract: Names of properties are letters and digits of any script
test('Turtle and N-Quads have the graph of the JSON-LD, and the names as their IRIs', async (t) => {
  const { base, get, books } = await serveAnyScript(t)
  for (const path of ['/', '/vocab', '/%E6%9C%AC', pathOf(base, books[0]), '/%C3%9Cberblick']) {
    const expected = await quadsOf((await get(path)).json())
    for (const type of ['text/turtle', 'application/n-quads']) {
      const { body } = await get(path, { Accept: type })
      assertSame(await quadsOfText(body, type), expected, `${path} ${type}`)
    }
  }
  const quads = await quadsOf((await get(pathOf(base, books[0]))).json())
  assert.ok(
    quads.some((quad) => quad.startsWith(`<${books[0]}> <${base}/vocab#本/名前> "本 1"`)),
    quads.join('\n'),
  )
  assert.ok(quads.includes(`<${books[0]}> <${RDF}type> <${base}/vocab#本> .`))
})

test('what was read can be sent back, and so can the IRIs of its names', async (t) => {
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

// contract: Names of properties are letters and digits of any script
test('the client finds, asks, creates and updates by names of any script', async (t) => {
  const { base, büro } = await serveAnyScript(t)
  const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  const collections = await client.collections()
  assert.deepEqual(
    collections.map(({ name, iri, memberClass }) => [name, iri, memberClass?.title]),
    [
      ['büros', `${base}/b%C3%BCros`, 'Büro'],
      ['本', `${base}/%E6%9C%AC`, '本'],
    ],
  )
  const books = client.collection('本')
  const { template, variables } = await books.search()
  // RFC 6570 §2.3: nothing but ASCII in the names of variables.
  assert.match(template, /\{\?(?:(?:[A-Za-z0-9_]|%[0-9A-F]{2})+\*?,?)+\}$/)
  assert.ok(variables.some(({ name }) => name === 'order[größe]'))
  const sizes: unknown[] = []
  for await (const { data } of books.members({
    'größe[gte]': 2,
    'order[größe]': 'desc',
    слова: ['Ünï', 'x'],
  }))
    sizes.push(data.größe)
  assert.deepEqual(sizes, [5, 4, 3, 2])
  const created = await books.create({ größe: 6, 名前: 'neu', büro })
  const updated = await created.update({ größe: 7 })
  assert.equal(updated.data.größe, 7)
  const cls = (await client.documentation()).classes.find(({ title }) => title === '本')
  assert.deepEqual(updated.types, [cls?.iri])
  assert.deepEqual((await client.single('Überblick')).data.текст, { ru: 'да' })
})

// contract: Names of properties are letters and digits of any script
test('api-doc-parser finds resources and fields of any script, and alcaeus walks their pages', async (t) => {
  const { base, client } = await serveAnyScript(t)
  const token = await client.signIn()
  const { api } = await parseHydraDocumentation(base, { headers: { 'X-Authorization': token } })
  const book = api.resources?.find(({ title }) => title === '本')
  assert.equal(book?.url, `${base}/%E6%9C%AC`)
  assert.deepEqual(
    book?.fields?.map(({ name, id }) => [name, id]),
    ['größe', '名前', 'मूल्य', 'büro', 'слова', 'maß', '𠮷-2'].map((name) => [
      name,
      vocabIri(base, `本/${name}`),
    ]),
  )

  const alcaeus = createAlcaeus(token)
  const seen: (string | undefined)[] = []
  for (let page = await load<Collection>(alcaeus, `${base}/%E6%9C%AC`); ; ) {
    assert.equal(page.id.value, `${base}/%E6%9C%AC`)
    seen.push(...page.member.map((member) => member.getString(vocabIri(base, '本/名前'))))
    const next = page.view[0]?.next
    if (next === undefined) break
    page = await load<Collection>(alcaeus, next.id.value)
  }
  assert.deepEqual(seen.sort(), ['本 1', '本 2', '本 3', '本 4', '本 5'])
  const { search } = await load<Collection>(alcaeus, `${base}/%E6%9C%AC`)
  const question = alcaeus
    .clownface()
    .blankNode()
    .addOut(alcaeus.namedNode(vocabIri(base, 'sort')), '-größe')
  const found = await load<Collection>(alcaeus, search?.expand(question) ?? '')
  assert.deepEqual(found.member.map((member) => member.getNumber(vocabIri(base, '本/größe'))).sort(), [4, 5])
})
