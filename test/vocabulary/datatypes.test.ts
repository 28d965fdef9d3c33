import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { violationSentence } from '../../src/api/problems/values.ts'
import { JsonNumber, type JsonValue, readJson } from '../../src/json.ts'
import { datatypeOf } from '../../src/vocabulary/datatypes.ts'
import { DATATYPE_NAMES, type DatatypeName } from '../../src/vocabulary/model.ts'

const read = (name: DatatypeName, json: string) => datatypeOf(name).read(readJson(json))

/** JSON as it is sent, and the value that is stored or part of the message. */
const accepted: [DatatypeName, json: string, value: unknown][] = [
  ['string', '"a"', 'a'],
  ['string', '""', ''],
  ['string', '"\\ud83d\\ude00"', '😀'],
  ['boolean', 'false', false],
  ['integer', '-12', -12],
  ['integer', '1.0', 1],
  ['integer', '1e3', 1000],
  ['integer', '-0', 0],
  ['integer', '9007199254740991', 9007199254740991],
  ['nonNegativeInteger', '0', 0],
  ['positiveInteger', '1', 1],
  ['decimal', '"12.50"', '12.50'],
  ['decimal', '12.50', '12.50'],
  ['decimal', '"+012.5"', '+012.5'],
  ['decimal', '".5"', '.5'],
  ['decimal', '0.1234567890123456789012345', '0.1234567890123456789012345'],
  ['decimal', '1.50e1', '15.0'],
  ['decimal', '-12e-3', '-0.012'],
  ['decimal', '12e2', '1200'],
  ['decimal', `"-${'7'.repeat(50)}.${'7'.repeat(50)}"`, `-${'7'.repeat(50)}.${'7'.repeat(50)}`],
  ['decimal', '1e-99', `0.${'0'.repeat(98)}1`],
  ['double', '12.5', 12.5],
  ['double', '1e300', 1e300],
  ['float', '0.1', 0.1],
  ['date', '"2024-02-29"', '2024-02-29'],
  ['dateTime', '"2024-02-29T12:30:00Z"', '2024-02-29T12:30:00Z'],
  ['dateTime', '"2024-02-29T12:30:00.125+02:00"', '2024-02-29T12:30:00.125+02:00'],
  ['time', '"12:30:00"', '12:30:00'],
  ['time', '"12:30:00.5-05:00"', '12:30:00.5-05:00'],
  ['duration', '"P1Y2M10DT2H30M0.5S"', 'P1Y2M10DT2H30M0.5S'],
  ['duration', '"-PT1S"', '-PT1S'],
  ['anyURI', '"https://example.org/é?q=1#f"', 'https://example.org/é?q=1#f'],
  ['anyURI', '"urn:isbn:9780000000000"', 'urn:isbn:9780000000000'],
  ['langString', '{"en": "Hello", "de": ""}', { en: 'Hello', de: '' }],
  ['langString', '{"EN-gb": "colour"}', { 'en-GB': 'colour' }],
  ['langString', '{"ZH-hant-tw": "a", "sl-rozaj-biske": "b"}', { 'zh-Hant-TW': 'a', 'sl-rozaj-biske': 'b' }],
  ['langString', '{"de-x-AB-Cdef": "a", "i-klingon": "b"}', { 'de-x-ab-cdef': 'a', 'i-klingon': 'b' }],
  ['langString', '{"en": "a", "de": null}', { en: 'a' }],
  ['langString', '{"toString": "a"}', { tostring: 'a' }],
]

const refused: [DatatypeName, json: string, message: RegExp][] = [
  ['string', '5', /must be a string, not a number/],
  ['string', 'null', /not null/],
  ['string', '["a"]', /not a list/],
  ['string', '{}', /not an object/],
  ['string', '"a\\u0000b"', /U\+0000/],
  ['string', '"\\ud800"', /surrogate/],
  ['boolean', '"true"', /true or false, not a string/],
  ['boolean', '1', /true or false/],
  ['integer', '"5"', /an integer such as -12, not a string/],
  ['integer', '1.5', /must be an integer/],
  ['integer', '0.12345678901234567890', /must be an integer/],
  ['integer', '9007199254740993', /would lose digits/],
  ['integer', '9007199254740992', /would lose digits/],
  ['integer', '1e400', /would lose digits/],
  ['nonNegativeInteger', '-1', /0 or greater/],
  ['positiveInteger', '0', /1 or greater/],
  ['decimal', '"1e3"', /such as "12.50"/],
  ['decimal', '"1,5"', /such as "12.50"/],
  ['decimal', '""', /such as "12.50"/],
  ['decimal', '"."', /such as "12.50"/],
  ['decimal', '1e999999', /at most 100 digits/],
  ['decimal', '1e100', /at most 100 digits/],
  ['decimal', '1e-100', /at most 100 digits/],
  ['decimal', `"-${'7'.repeat(101)}"`, /at most 100 digits/],
  ['decimal', `"${'0'.repeat(99)}1.5"`, /at most 100 digits/],
  ['double', '0.1234567890123456789', /would lose digits/],
  ['double', '1e400', /would lose digits/],
  ['double', '"1.5"', /must be a number/],
  ['float', '1e39', /between/],
  ['date', '"2023-02-29"', /such as "2024-02-29"/],
  ['date', '"2024-02-30"', /such as/],
  ['date', '"2024-13-01"', /such as/],
  ['date', '"0000-01-01"', /such as/],
  ['date', '"2024-2-9"', /such as/],
  ['date', '"2024-02-29T00:00:00Z"', /such as/],
  ['date', '20240229', /such as/],
  ['dateTime', '"2024-02-29T12:30:00"', /zone/],
  ['dateTime', '"2024-02-29T12:30Z"', /seconds/],
  ['dateTime', '"2023-02-29T12:30:00Z"', /such as/],
  ['dateTime', '"2024-02-29T24:00:00Z"', /such as/],
  ['dateTime', '"2024-02-29T12:30:60Z"', /such as/],
  ['dateTime', '"2024-02-29T12:30:00+14:30"', /such as/],
  ['dateTime', '"2024-02-29 12:30:00Z"', /such as/],
  ['time', '"25:00:00"', /such as/],
  ['duration', '"P"', /such as/],
  ['duration', '"PT"', /such as/],
  ['duration', '"P1YT"', /such as/],
  ['duration', '"1 day"', /such as/],
  ['anyURI', '"/relative"', /absolute IRI/],
  ['anyURI', '"http://a b"', /absolute IRI/],
  ['langString', '"Hello"', /an object of texts by language such as \{"en": "Hello"/],
  ['langString', '{"en": 5}', /the text for "en" must be a string, not a number/],
  ['langString', '{"en": ["a"]}', /the text for "en" must be a string, not a list/],
  ['langString', '{"en": "a\\u0000"}', /the text for "en" must not contain the character U\+0000/],
  ['langString', '{"en": null}', /at least one language/],
  ['langString', '{"en": "a", "EN": "b"}', /two texts for "en"; send one/],
  ['langString', '{"": "a"}', /"" is not a language tag/],
  ['langString', '{"en_GB": "a"}', /"en_GB" is not a language tag such as/],
  ['langString', '{"@none": "a"}', /not a language tag/],
  ['langString', '{"__proto__": "a"}', /not a language tag/],
  ['langString', `{"${'a-'.repeat(200)}a": "b"}`, /"[a-]{32}…" is not a language tag/],
  [
    'langString',
    JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`x-${n}`, 'a']))),
    /at most 1000 languages/,
  ],
]

describe('datatypes', () => {
  for (const [name, json, value] of accepted) {
    it(`${name} takes ${json}`, () => assert.deepEqual(read(name, json), { value }))
  }
  for (const [name, json, message] of refused) {
    it(`${name} refuses ${json.slice(0, 60)}`, () => {
      const reading = read(name, json)
      assert.ok('problem' in reading, 'accepted')
      assert.match(violationSentence(reading.problem), message)
    })
  }

  it('refuse null, lists and objects', () => {
    for (const name of DATATYPE_NAMES) {
      for (const json of ['null', '[]', '{}'])
        assert.ok('problem' in read(name, json), `${name} took ${json}`)
    }
  })

  it('read what they have stored as the same value', () => {
    for (const [name, , stored] of accepted) {
      const sent = (typeof stored === 'number' ? new JsonNumber(JSON.stringify(stored)) : stored) as JsonValue
      assert.deepEqual(datatypeOf(name).read(sent), { value: stored })
    }
  })
})

describe('keys', () => {
  const equal: [DatatypeName, ...spellings: string[]][] = [
    ['decimal', '12.5', '12.50', '012.5', '+12.5'],
    ['decimal', '0', '-0', '0.00', '.0', '-0.'],
    ['dateTime', '2024-02-29T12:30:00Z', '2024-02-29T14:30:00+02:00', '2024-02-29T12:30:00.000-00:00'],
    ['dateTime', '1969-12-31T23:59:59.50Z', '1970-01-01T01:59:59.5+02:00'],
    ['time', '12:00:00Z', '13:00:00.0+01:00'],
    ['duration', 'P1Y', 'P12M', 'P12M0D'],
    ['duration', 'P1D', 'PT24H', 'PT86400.0S'],
    ['duration', 'PT0S', '-P0D'],
  ]
  for (const [name, ...spellings] of equal) {
    it(`${name}: ${spellings.join(' = ')}`, () => {
      assert.equal(new Set(spellings.map(datatypeOf(name).key)).size, 1)
    })
  }

  const different: [DatatypeName, ...values: (string | number)[]][] = [
    ['decimal', '12.5', '-12.5', '125', '1.25', '12.51', '12.500000000000000000001'],
    ['dateTime', '2024-02-29T12:30:00Z', '2024-02-29T12:30:00+02:00', '2024-02-29T12:30:00.001Z'],
    ['time', '12:00:00', '12:00:00Z', '00:30:00+01:00', '23:30:00Z'],
    ['duration', 'P1M', 'P30D', '-P1M', 'PT1M'],
    ['string', 'a', 'A', 'a '],
    ['date', '2024-02-28', '2024-02-29'],
  ]
  for (const [name, ...values] of different) {
    it(`${name}: ${values.join(' ≠ ')}`, () => {
      assert.equal(new Set(values.map(datatypeOf(name).key)).size, values.length)
    })
  }

  it('of decimals are equal exactly when the values are', () => {
    const { key } = datatypeOf('decimal')
    const decimal = fc.tuple(fc.bigInt({ min: -5000n, max: 5000n }), fc.nat(3))
    const spelt = fc.tuple(decimal, fc.nat(3), fc.nat(3))
    const spell = ([[units, scale], zerosBefore, zerosAfter]: [[bigint, number], number, number]) => {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
      const point = digits.length - scale
      const sign = units < 0n ? '-' : ''
      return `${sign}${'0'.repeat(zerosBefore)}${digits.slice(0, point)}.${digits.slice(point)}${'0'.repeat(zerosAfter)}`
    }
    const scaled = ([[units, scale]]: [[bigint, number], number, number]) => units * 10n ** BigInt(3 - scale)
    fc.assert(
      fc.property(spelt, spelt, (a, b) => (key(spell(a)) === key(spell(b))) === (scaled(a) === scaled(b))),
      { numRuns: 2000 },
    )
  })

  it('of texts by language are equal in whatever order, and differ with any text', () => {
    const { key } = datatypeOf('langString')
    assert.equal(key({ en: 'a', de: 'b' }), key({ de: 'b', en: 'a' }))
    assert.notEqual(key({ en: 'a', de: 'b' }), key({ en: 'b', de: 'a' }))
    assert.notEqual(key({ en: 'a' }), key({ en: 'a', de: '' }))
  })
})
