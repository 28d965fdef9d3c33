import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLongForm } from '../../src/vocabulary/long-form/long-form.ts'
import { readShortForm } from '../../src/vocabulary/short-form/short-form.ts'
import { compareTimes, createLeast } from '../support/timing.ts'

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const classes = (count: number, body: (index: number) => string, more = '') =>
  `classes:\n${range(count)
    .map((index) => `  C${index}: ${body(index)}\n`)
    .join('')}${more}`
const TOP = '  Top: { properties: { first: C0 } }\n'
const embedding = (next: (index: number) => number) => (index: number) =>
  `{ collection: false, properties: { next: C${next(index)} } }`

/** Files with so many parts, right and wrong. */
const FILES: Readonly<Record<string, (count: number) => string>> = {
  'each class embeds the next': (count) =>
    classes(
      count - 1,
      embedding((index) => index + 1),
      `  C${count - 1}: { collection: false }\n${TOP}`,
    ),
  'each class embeds the next, in a circle': (count) =>
    classes(
      count,
      embedding((index) => (index + 1) % count),
      TOP,
    ),
  'classes that link to each other': (count) =>
    classes(count, (index) => `{ properties: { next: C${(index + 1) % count} } }`),
  'classes without a use': (count) => classes(count, () => '{ collection: false }'),
  'misspelt types': (count) => classes(count, (index) => `{ properties: { next: D${index} } }`),
  'properties of one class': (count) =>
    `classes: { Top: { properties: { ${range(count).map((index) => `p${index}: { type: string, iri: "http://x.example/${index}", was: q${index} }`)} } } }`,
  'a chain of subclasses': (count) =>
    JSON.stringify({
      '@context': 'http://www.w3.org/ns/hydra/context.jsonld',
      '@id': 'http://x.example/doc',
      '@type': 'ApiDocumentation',
      supportedClass: range(count).map((index) => ({
        '@id': `http://x.example/doc#C${index}`,
        '@type': 'Class',
        subClassOf: `http://x.example/doc#C${index + 1}`,
      })),
    }),
}

const SMALL = 300
const TIMES = 4
/** Four times as many parts may take so many times as long; their square would be sixteen. */
const MOST = 9

for (const [name, make] of Object.entries(FILES))
  test(`${name}: reading takes time in proportion to the file`, async () => {
    const read = (text: string) => () => () =>
      text.startsWith('{') ? readLongForm(text, 'x') : readShortForm(text, 'x')
    const measure = createLeast([read(make(SMALL)), read(make(TIMES * SMALL))])
    await compareTimes(async () => {
      const [small, large] = await measure(2)
      assert.ok(large < MOST * small, `${large} µs, and ${small} µs for a quarter of it`)
    })
  })
