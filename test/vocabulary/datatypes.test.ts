import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { JsonNumber, type JsonValue, readJson } from '../../src/json.ts'
import { datatypeOf } from '../../src/vocabulary/datatypes.ts'
import { DATATYPE_NAMES, type DatatypeName } from '../../src/vocabulary/index.ts'
import { inShort } from '../support/problems.ts'

const read = (name: DatatypeName, json: string) => datatypeOf(name).read(readJson(json))

/** JSON as it is sent, and the value that is stored, or the problem. */
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

const refused: [DatatypeName, json: string, problem: string][] = [
  ['string', '5', 'WrongDatatype(string, number)'],
  ['string', 'null', 'WrongDatatype(string, null)'],
  ['string', '["a"]', 'WrongDatatype(string, list)'],
  ['string', '{}', 'WrongDatatype(string, object)'],
  ['string', '"a\\u0000b"', 'NulCharacter'],
  ['string', '"\\ud800"', 'LoneSurrogate'],
  ['boolean', '"true"', 'WrongDatatype(boolean, string)'],
  ['boolean', '1', 'WrongDatatype(boolean, number)'],
  ['integer', '"5"', 'WrongDatatype(integer, string)'],
  ['integer', '1.5', 'WrongDatatype(integer)'],
  ['integer', '0.12345678901234567890', 'WrongDatatype(integer)'],
  ['integer', '9007199254740993', 'LosesDigits(integer)'],
  ['integer', '9007199254740992', 'LosesDigits(integer)'],
  ['integer', '1e400', 'LosesDigits(integer)'],
  ['nonNegativeInteger', '-1', 'WrongDatatype(nonNegativeInteger)'],
  ['positiveInteger', '0', 'WrongDatatype(positiveInteger)'],
  ['decimal', '"1e3"', 'WrongDatatype(decimal)'],
  ['decimal', '"1,5"', 'WrongDatatype(decimal)'],
  ['decimal', '""', 'WrongDatatype(decimal)'],
  ['decimal', '"."', 'WrongDatatype(decimal)'],
  ['decimal', '1e999999', 'TooManyDigits(100)'],
  ['decimal', '1e100', 'TooManyDigits(100)'],
  ['decimal', '1e-100', 'TooManyDigits(100)'],
  ['decimal', `"-${'7'.repeat(101)}"`, 'TooManyDigits(100)'],
  ['decimal', `"${'0'.repeat(99)}1.5"`, 'TooManyDigits(100)'],
  ['double', '0.1234567890123456789', 'LosesDigits(double)'],
  ['double', '1e400', 'LosesDigits(double)'],
  ['double', '"1.5"', 'WrongDatatype(double, string)'],
  ['float', '1e39', 'FloatOutOfRange'],
  ['date', '"2023-02-29"', 'WrongDatatype(date)'],
  ['date', '"2024-02-30"', 'WrongDatatype(date)'],
  ['date', '"2024-13-01"', 'WrongDatatype(date)'],
  ['date', '"0000-01-01"', 'WrongDatatype(date)'],
  ['date', '"2024-2-9"', 'WrongDatatype(date)'],
  ['date', '"2024-02-29T00:00:00Z"', 'WrongDatatype(date)'],
  ['date', '20240229', 'WrongDatatype(date)'],
  ['dateTime', '"2024-02-29T12:30:00"', 'WrongDatatype(dateTime)'],
  ['dateTime', '"2024-02-29T12:30Z"', 'WrongDatatype(dateTime)'],
  ['dateTime', '"2023-02-29T12:30:00Z"', 'WrongDatatype(dateTime)'],
  ['dateTime', '"2024-02-29T24:00:00Z"', 'WrongDatatype(dateTime)'],
  ['dateTime', '"2024-02-29T12:30:60Z"', 'WrongDatatype(dateTime)'],
  ['dateTime', '"2024-02-29T12:30:00+14:30"', 'WrongDatatype(dateTime)'],
  ['dateTime', '"2024-02-29 12:30:00Z"', 'WrongDatatype(dateTime)'],
  ['time', '"25:00:00"', 'WrongDatatype(time)'],
  ['duration', '"P"', 'WrongDatatype(duration)'],
  ['duration', '"PT"', 'WrongDatatype(duration)'],
  ['duration', '"P1YT"', 'WrongDatatype(duration)'],
  ['duration', '"1 day"', 'WrongDatatype(duration)'],
  ['anyURI', '"/relative"', 'WrongDatatype(anyURI)'],
  ['anyURI', '"http://a b"', 'WrongDatatype(anyURI)'],
  ['langString', '"Hello"', 'WrongDatatype(langString)'],
  ['langString', '{"en": 5}', 'InvalidText(en, WrongDatatype(string, number))'],
  ['langString', '{"en": ["a"]}', 'InvalidText(en, WrongDatatype(string, list))'],
  ['langString', '{"en": "a\\u0000"}', 'InvalidText(en, NulCharacter)'],
  ['langString', '{"en": null}', 'NoText'],
  ['langString', '{"en": "a", "EN": "b"}', 'DuplicateLanguage(en)'],
  ['langString', '{"": "a"}', 'InvalidLanguageTag()'],
  ['langString', '{"en_GB": "a"}', 'InvalidLanguageTag(en_GB)'],
  ['langString', '{"@none": "a"}', 'InvalidLanguageTag(@none)'],
  ['langString', '{"__proto__": "a"}', 'InvalidLanguageTag(__proto__)'],
  [
    'langString',
    `{"${'a-'.repeat(200)}a": "b"}`,
    'InvalidLanguageTag(a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-…)',
  ],
  [
    'langString',
    JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`x-${n}`, 'a']))),
    'TooManyLanguages(1000)',
  ],
]

describe('datatypes', () => {
  for (const [name, json, value] of accepted) {
    it(`${name} takes ${json}`, () => assert.deepEqual(read(name, json), { value }))
  }
  for (const [name, json, problem] of refused) {
    it(`${name} refuses ${json.slice(0, 60)}`, () => {
      const reading = read(name, json)
      assert.ok('problem' in reading, 'accepted')
      assert.equal(inShort(reading.problem), problem)
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
