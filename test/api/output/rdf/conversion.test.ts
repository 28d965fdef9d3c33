import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Parser } from 'n3'
import { convert } from '../../../../src/api/output/rdf/conversion.ts'
import { withLimit, withMemory } from '../../../../src/api/output/rdf/rdf.ts'
import { quadsOf } from '../../rdf.ts'
import { assertSame, quadsOfText } from '../../rdf-text.ts'

const VOCAB = 'http://example.org/vocab#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'

const toTurtle = (document: object, prefixes: readonly (readonly [string, string])[] = []) =>
  convert(JSON.stringify(document), 'text/turtle', prefixes)

const toQuads = (document: object) => convert(JSON.stringify(document), 'application/n-quads')

test('whatever JSON-LD the documents of a server are made of, the graph is the processor’s', async () => {
  const documents: object[] = [
    { '@id': 'urn:a', p: { '@list': ['one', { '@id': 'urn:b' }, { q: 1 }] }, q: { '@list': [] } },
    { '@id': 'urn:a', p: ['twice', 'twice', { '@id': 'urn:b', q: 'x' }, { '@id': 'urn:b', q: ['x', 'y'] }] },
    { '@id': 'urn:a', '@reverse': { p: [{ '@id': 'urn:b', q: true }, { q: false }] } },
    { '@id': 'urn:a', '@included': [{ '@id': 'urn:b', p: 'included' }] },
    { '@id': 'urn:a', '@type': ['A', 'B', 'A'], p: { q: 1, p: { q: 2, p: { '@type': 'C' } } } },
    { '@id': 'urn:a', p: { '@value': 'Größe', '@language': 'de-AT' }, q: '"\\\n\r\t\u0001\u007f\ufffe 📚' },
    { '@id': 'urn:a', p: [0, 1, -1, 1.5, -0.25, 1e20, 1e21, 1.5e-300, 9007199254740991] },
    {
      '@id': 'urn:a',
      p: { '@value': 7, '@type': `${XSD}double` },
      q: { '@value': 7, '@type': `${XSD}float` },
    },
    { '@id': 'urn:a', constructor: 'a', toString: 'b', valueOf: 'c', length: 'd' },
  ]
  for (const body of documents) {
    const document = { '@context': { '@vocab': VOCAB }, ...body }
    const expected = await quadsOf(document)
    assertSame(await quadsOfText(await toTurtle(document), 'text/turtle'), expected, JSON.stringify(body))
    assertSame(
      await quadsOfText(await toQuads(document), 'application/n-quads'),
      expected,
      JSON.stringify(body),
    )
  }
})

test('a small number keeps its value, whatever its datatype', async () => {
  const small = (type: string) => ({ '@value': 1e-7, '@type': XSD + type })
  const text = await toQuads({
    '@context': { '@vocab': VOCAB },
    '@id': 'urn:a',
    plain: 1e-7,
    double: small('double'),
    float: small('float'),
  })
  const said = [...text.matchAll(/vocab#(\w+)> "([^"]+)"\^\^<[^#]+#(\w+)>/g)].map(([, ...parts]) => parts)
  assert.deepEqual(said.sort(), [
    ['double', '1.0E-7', 'double'],
    ['float', '1.0E-7', 'float'],
    ['plain', '1.0E-7', 'double'],
  ])
})

test('a double has all digits that tell it from every other one, in Turtle and in N-Quads', async () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0))
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(number, { minLength: 1 }), async (values) => {
      const p = values.flatMap((value) =>
        ['double', 'float'].map((type) => ({ '@value': value, '@type': XSD + type })),
      )
      const document = { '@context': { '@vocab': VOCAB }, '@id': 'urn:a', p }
      for (const [text, format] of [
        [await toTurtle(document), 'text/turtle'],
        [await toQuads(document), 'application/n-quads'],
      ] as const) {
        for (const type of ['double', 'float']) {
          const said = new Parser({ format })
            .parse(text)
            .flatMap(({ object }) =>
              object.termType === 'Literal' && object.datatype.value === XSD + type ? object.value : [],
            )
          assert.deepEqual(said.map(Number), values)
          // XSD 1.1 part 2 §3.3.5.1: the canonical form of a double.
          if (type === 'double') for (const one of said) assert.match(one, /^-?\d\.(?:0|\d*[1-9])E-?\d+$/)
        }
      }
    }),
  )
})

test('prefixes stand for what is used, and never for an IRI that only looks like one', async () => {
  const context = { '@vocab': VOCAB, name: { '@id': `${VOCAB}Book/name` }, odd: { '@id': 'other:odd' } }
  const document = {
    '@context': context,
    '@id': 'urn:a',
    '@type': 'Book',
    name: 'x',
    odd: { '@id': 'http://other.org/a' },
  }
  const text = await toTurtle(document, [
    ['other', 'http://other.org/'],
    ['unused', 'http://unused.org/'],
  ])
  const prefixes = text.split('\n').filter((line) => line.startsWith('@prefix'))
  assert.deepEqual(prefixes.sort(), [`@prefix : <${VOCAB}>.`, `@prefix Book: <${VOCAB}Book/>.`])
  assertSame(await quadsOfText(text, 'text/turtle'), await quadsOf(document), text)
})

test('a document that wants a context from elsewhere is refused, and nothing is fetched', async () => {
  await assert.rejects(toTurtle({ '@context': 'http://127.0.0.1:9/context', '@id': 'urn:a', p: 'x' }), {
    code: 'ForeignContext',
  })
})

test('what never changes is converted once for each form, and again only after a failure', async () => {
  const conversions: string[] = []
  const remembered = withMemory(async (text, mediaType) => {
    conversions.push(mediaType)
    if (conversions.length === 1) throw new Error('not this time')
    return `${text} as ${mediaType}`
  })
  await assert.rejects(remembered('it', 'text/turtle'), /not this time/)
  for (const mediaType of [
    'text/turtle',
    'application/n-quads',
    'text/turtle',
    'application/n-quads',
  ] as const)
    assert.equal(await remembered('it', mediaType), `it as ${mediaType}`)
  assert.deepEqual(conversions, ['text/turtle', 'text/turtle', 'application/n-quads'])
})

test('what waits to be converted is limited: beyond that 503, until there is room again', async () => {
  const release: (() => void)[] = []
  const limited = withLimit((text) => new Promise((resolve) => release.push(() => resolve(text))))
  const text = 'x'.repeat(4 * 1024 * 1024)
  const waiting = Array.from({ length: 8 }, () => limited(text, 'text/turtle'))
  await assert.rejects(limited(text, 'text/turtle'), {
    code: 'ConversionBusy',
    values: { mediaType: 'text/turtle', retryAfterSeconds: 2 },
  })
  release.shift()?.()
  await waiting.shift()
  const next = limited(text, 'text/turtle')
  for (const act of release) act()
  assert.equal(await next, text)
  await Promise.all(waiting)
})
