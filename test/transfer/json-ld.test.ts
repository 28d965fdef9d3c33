import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSplitJsonLd } from '../../src/transfer/json-ld.ts'
import type { DataItem } from '../../src/transfer/ndjson.ts'
import { soakTest } from '../support/soak.ts'
import { shown, splitBy } from './splitting.ts'

const splitJsonLd = createSplitJsonLd(() => undefined)

const MEBIBYTE = 1024 * 1024

test('the members of a document are cut out of it, wherever the chunks end', async () => {
  const rows: readonly { readonly data: string; readonly members: readonly string[] }[] = [
    {
      data: '{"@context": {"@vocab": "http://x/"},\n "@graph": [\n {"a": "]}\\"\\\\"},\n\n {"b": [1, {}]} ]}\n',
      members: ['3: {"a": "]}\\"\\\\"}', '5: {"b": [1, {}]}'],
    },
    { data: '{"\\u0040context": null, "@graph": [{"ä": "€"}]}', members: ['1: {"ä": "€"}'] },
    { data: '\ufeff{"@context":{},"@graph":[]}', members: [] },
    {
      data: '{"@graph":[{"a":1},\n{"b":2}],"@context":{"a":"http://x/"}}',
      members: ['1: {"a":1}', '2: {"b":2}'],
    },
    { data: '{"@context":{},"@graph":{"a":1}}', members: ['1: {"a":1}'] },
    { data: '{"@graph":{"a":1}}', members: ['1: {"a":1}'] },
    { data: '[\n{"a":1}, {"b":2}\n]', members: ['2: {"a":1}', '2: {"b":2}'] },
    { data: '[]', members: [] },
    { data: '\n {"@context":{}, "a":1}', members: ['2: {"@context":{}, "a":1}'] },
    { data: '{"a":1,"@context":{}}', members: ['1: {"a":1,"@context":{}}'] },
    { data: '{}', members: ['1: {}'] },
    {
      data: '{"@context":{},"@graph":[1, "x", [2], null]}',
      members: ['1: 1', '1: "x"', '1: [2]', '1: null'],
    },
  ]
  for (const { data, members } of rows) {
    for (const size of [1, 2, 5, 1000])
      assert.deepEqual(shown(await splitBy(splitJsonLd, data, size)), members, `${data} by ${size}`)
  }
})

test('every member has the context of its document, also where that comes last', async () => {
  for (const data of [
    '{"@context":"http://x/c","@graph":[{},{}]}',
    '{"@graph":[{},{}],"@context":"http://x/c"}',
  ]) {
    const contexts = (await splitBy(splitJsonLd, data)).map((cut) => 'context' in cut && cut.context)
    assert.deepEqual(contexts, ['http://x/c', 'http://x/c'])
  }
})

test('a name that is not UTF-8 is refused with its line', async () => {
  const data = Buffer.concat([Buffer.from('{\n"boo'), Buffer.from([0xff]), Buffer.from('s": []}')])
  assert.deepEqual(shown(await splitBy(splitJsonLd, data)), ['2! NotUtf8'])
})

test('what is broken is refused with its line, and what came before it is read', async () => {
  const context = '{"@context":{},"@graph":['
  const rows: readonly { readonly data: string; readonly cuts: readonly string[] }[] = [
    {
      data: `${context}{"a":1}\n{"b":2}]}`,
      cuts: ['1: {"a":1}', '2! MalformedDocument(commaOrBracket)'],
    },
    {
      data: `${context}{"a":1}`,
      cuts: ['1: {"a":1}', '1! DocumentCutOff'],
    },
    { data: `${context}{"a":1`, cuts: ['1! DocumentCutOff'] },
    { data: `${context}]}\n]`, cuts: ['2! MalformedDocument(end)'] },
    {
      data: `${context}]\n,"@graph":[]}`,
      cuts: ['2! DuplicateDocumentKey(@graph)'],
    },
    {
      data: '{"@context":{},\n"@context":{}}',
      cuts: ['2! DuplicateDocumentKey(@context)'],
    },
    {
      data: '{"@context":{1},"@graph":[{}]}',
      cuts: ['1! 1:2 MalformedJson(key, 1)'],
    },
    {
      data: '{"@graph":[{}],"@context":{1}}',
      cuts: ['1! 1:2 MalformedJson(key, 1)'],
    },
    { data: '{"@context":{},}', cuts: ['1! MalformedDocument(key)'] },
    { data: '{"@context" {}}', cuts: ['1! MalformedDocument(colon)'] },
    { data: 'true', cuts: ['1! MalformedDocument(document)'] },
    { data: '', cuts: ['1! DocumentCutOff'] },
    {
      data: '{"@id":"http://x/",\n"@context":{},"title":"Books","@graph":[{}],"after":1}',
      cuts: ['1! BesideGraph(@id)', '2! BesideGraph(title)', '2: {}', '2! BesideGraph(after)'],
    },
    { data: `${context}{"a":1},]}`, cuts: ['1: {"a":1}', '1: '] },
  ]
  for (const { data, cuts } of rows) {
    for (const size of [1, 1000]) assert.deepEqual(shown(await splitBy(splitJsonLd, data, size)), cuts, data)
  }
})

test('a member of more than 16 MiB is refused, and the members around it are read', async () => {
  const long = JSON.stringify({ a: 'x'.repeat(16 * MEBIBYTE) })
  const data = `{"@context":{},"@graph":[{"a":1},\n${long},\n{"b":2}]}`
  assert.deepEqual(shown(await splitBy(splitJsonLd, data, 64 * 1024)), [
    '1: {"a":1}',
    '2! MemberTooLong(16)',
    '3: {"b":2}',
  ])
})

soakTest(
  'a document over 64 MiB is read where its context comes before its graph or it is a list, and refused elsewhere',
  async () => {
    const chunk = Buffer.from(`{"a":"${'x'.repeat(MEBIBYTE)}"},\n`)
    async function* feed(start: string, end: string, times = 65): AsyncGenerator<Buffer> {
      yield Buffer.from(start)
      for (let index = 0; index < times; index++) yield chunk
      yield Buffer.from(end)
    }
    const split = async (start: string, end: string, times?: number): Promise<string[]> => {
      let members = 0
      let last: DataItem | undefined
      for await (const found of splitJsonLd(feed(start, end, times))) {
        members += found.length
        last = found.at(-1) ?? last
      }
      return [`${members}`, ...shown(last === undefined ? [] : [last])]
    }
    for (const [start, end] of [
      ['{"@context":{},"@graph":[', '1]}'],
      ['[', '1]'],
    ] as const)
      assert.deepEqual(await split(start, end), ['66', '66: 1'])
    const refused = { code: 'DocumentTooLarge' }
    await assert.rejects(split('{"@graph":[', '1],"@context":{}}'), refused)
    assert.deepEqual(await split('{"a":[', '1]}', 17), ['1', '1! MemberTooLong(16)'])
  },
)

test('any list of JSON values is cut into these values, by any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue()),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (values, size, indented) => {
        const data = JSON.stringify(
          { '@context': { a: 'http://x/' }, '@graph': values },
          null,
          indented ? 1 : 0,
        )
        const cuts = await splitBy(splitJsonLd, data, size)
        assert.deepEqual(
          cuts.map((cut) => 'text' in cut && JSON.parse(cut.text)),
          JSON.parse(JSON.stringify(values)),
        )
      },
    ),
  )
})
