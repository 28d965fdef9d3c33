import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHydraDocumentation } from '@api-platform/api-doc-parser'
import { createClient } from 'hydrant-client'
import { RDF, vocabIri } from '../../src/vocabulary/index.ts'
import { quadsOf } from '../api/rdf.ts'
import { assertSame, quadsOfText } from '../api/rdf-text.ts'
import { pathOf } from '../api/signed-in.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { share } from '../support/service.ts'
import { type Collection, createAlcaeus, load } from './alcaeus.ts'
import { serveAnyScript } from './scripts.ts'

// The same names to clients. The last one writes.

const shared = share(serveAnyScript)

// contract: Names of properties are letters and digits of any script
test('Turtle and N-Quads have the graph of the JSON-LD, and the names as their IRIs', async () => {
  const { base, get, books } = await shared()
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

// contract: Names of properties are letters and digits of any script
test('api-doc-parser finds resources and fields of any script, and alcaeus walks their pages', async () => {
  const { base, client } = await shared()
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
  const least = alcaeus
    .clownface()
    .blankNode()
    .addOut(alcaeus.namedNode(vocabIri(base, 'gte/größe')), '4')
  assert.equal((await load<Collection>(alcaeus, search?.expand(least) ?? '')).totalItems, 2)
})

// contract: Names of properties are letters and digits of any script
test('the client queries, creates and updates by names of any script', async () => {
  const { base, büro } = await shared()
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
  assert.match(template, /\{\?(?:(?:[A-Za-z0-9_]|%[0-9A-F]{2})+(?:\.(?:\w|%[0-9A-F]{2})+)*\*?,?)+\}$/)
  for (const wanted of ['größe.gte', 'order[größe]']) assert.ok(variables.some(({ name }) => name === wanted))
  const sizes: unknown[] = []
  for await (const { data } of books.members({
    'größe[gte]': 2,
    'order[größe]': 'desc',
    слова: ['Ünï', 'x'],
  }))
    sizes.push(data.größe)
  assert.deepEqual(sizes, [5, 4, 3, 2])
  assert.equal((await books.page({ 'größe.gte': 4 })).totalItems, 2)
  const created = await books.create({ größe: 6, 名前: 'neu', büro })
  const updated = await created.update({ größe: 7 })
  assert.equal(updated.data.größe, 7)
  const cls = (await client.documentation()).classes.find(({ title }) => title === '本')
  assert.deepEqual(updated.types, [cls?.iri])
  assert.deepEqual((await client.single('Überblick')).data.текст, { ru: 'да' })
})
