import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { JsonError, JsonNumber, type JsonToken, type JsonValue, readJson, writeJson } from '../src/json.ts'
import { readElements } from '../src/json-elements.ts'
import { decimalKey, losesDigits } from '../src/vocabulary/lexical-forms.ts'
import { compareTimes, createLeast } from './support/timing.ts'

/** As `JSON.parse` would have it, so that the two can be compared. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.source)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child)]))
}

const refusal = (text: string): JsonError => {
  try {
    readJson(text)
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
  return assert.fail(`accepted ${text.slice(0, 80)}`)
}

describe('writeJson', () => {
  it('writes what JSON.stringify writes', () => {
    for (const value of [undefined, null, 0, -1.5, 'x', [null, undefined], { a: undefined, b: new Date(0) }])
      assert.equal(writeJson(value), JSON.stringify(value))
  })

  it('refuses what would be null: numbers that are not finite, and invalid dates', () => {
    const [infinite, none] = [Number.POSITIVE_INFINITY, Number.NaN]
    for (const lost of [none, infinite, -infinite, new Date(none)])
      for (const value of [lost, [1, lost], { deep: [{ n: lost }] }])
        assert.throws(() => writeJson(value), TypeError)
  })
})

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) =>
        assert.deepEqual(plain(readJson(text)), JSON.parse(text)),
      ),
    )
  })

  it('refuses what JSON.parse refuses, and takes the rest', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9"',
      '"\\x"',
      '-',
      '0',
      '1',
      '.',
      'e',
      '+',
      ' ',
      '\n',
      'null',
      'tru',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((chosen) => chosen.join(''))
    fc.assert(
      fc.property(text, (candidate) => {
        let expected: unknown
        try {
          expected = JSON.parse(candidate)
        } catch {
          refusal(candidate)
          return
        }
        try {
          assert.deepEqual(plain(readJson(candidate)), expected)
        } catch (error) {
          assert.equal((error as JsonError).code, 'DuplicateKey')
        }
      }),
      { numRuns: 5000 },
    )
  })

  it('keeps the digits of a number', () => {
    assert.deepEqual(readJson('[12.50, 9007199254740993, -0, 1E+2]'), [
      new JsonNumber('12.50'),
      new JsonNumber('9007199254740993'),
      new JsonNumber('-0'),
      new JsonNumber('1E+2'),
    ])
  })

  it('takes __proto__ and constructor for ordinary keys', () => {
    const value = readJson('{"__proto__": {"a": true}, "constructor": null}')
    assert.equal(Object.getPrototypeOf(value), null)
    assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor'])
  })

  it('leaves U+0000 and lone surrogates to the datatypes', () => {
    assert.deepEqual(readJson('["\\u0000", "\\ud800"]'), ['\0', '\ud800'])
  })

  const malformed: [what: string, text: string, expected: JsonToken, column: number, found?: string][] = [
    ['nothing', '', 'value', 1],
    ['a trailing comma', '[1,]', 'value', 4, ']'],
    ['a trailing comma in an object', '{"a":1,}', 'key', 8, '}'],
    ['a missing comma in a list', '[1 2]', 'commaOrBracket', 4, '2'],
    ['a missing colon', '{"a" 1}', 'colon', 6, '1'],
    ['single quotes', "{'a': 1}", 'key', 2, "'"],
    ['a leading zero', '01', 'end', 2, '1'],
    ['a leading plus', '+1', 'value', 1, '+'],
    ['a bare point', '1.', 'fraction', 3],
    ['an empty exponent', '1e', 'exponent', 3],
    ['a lone minus', '-', 'digit', 2],
    ['NaN', 'NaN', 'value', 1, 'N'],
    ['half a word', 'tru', 'value', 1, 't'],
    ['a sentence', 'not json', 'value', 1, 'n'],
    ['a word in another case', '[False]', 'value', 2, 'F'],
    ['a raw line feed in a string', '"a\nb"', 'escapedControl', 3, '\n'],
    ['an unclosed string', '"abc', 'closingQuote', 5],
    ['an unknown escape', '"\\x"', 'escape', 2, '\\'],
    ['half an escape', '"\\u12"', 'hexDigits', 2, '\\'],
    ['two documents', '1 2', 'end', 3, '2'],
    ['a byte order mark', '\ufeff1', 'value', 1, '\ufeff'],
  ]
  for (const [what, text, expected, column, found] of malformed) {
    it(`refuses ${what}`, () => {
      const { code, values, at } = refusal(text)
      assert.deepEqual([code, values, at], ['MalformedJson', { expected, found }, { line: 1, column }])
    })
  }

  it('says where a missing comma is', () => {
    const { values, at } = refusal('{\n  "a": 1\n  "b": 2\n}')
    assert.deepEqual(
      [values, at],
      [
        { expected: 'commaOrBrace', found: '"' },
        { line: 3, column: 3 },
      ],
    )
  })

  it('refuses a key that an object has already', () => {
    const { code, values, at } = refusal('{"a": 1,\n "\\u0061": 2}')
    assert.deepEqual([code, values, at], ['DuplicateKey', { key: 'a' }, { line: 2, column: 2 }])
    assert.deepEqual(refusal('{"__proto__": 1, "__proto__": 2}').values, { key: '__proto__' })
  })

  it('refuses more than 32 levels', () => {
    const { code, values, at } = refusal('['.repeat(33) + ']'.repeat(33))
    assert.deepEqual([code, values, at], ['JsonTooDeep', { maxDepth: 32 }, { line: 1, column: 33 }])
    for (const text of ['{"a":'.repeat(33), '['.repeat(100_000), '['.repeat(1024 * 1024)])
      assert.equal(refusal(text).code, 'JsonTooDeep')
  })

  it('takes 32 levels', () => {
    assert.ok(readJson('['.repeat(32) + ']'.repeat(32)))
  })

  it('does not echo long input', () => {
    const key = JSON.stringify('k'.repeat(10_000))
    for (const text of [`{${key}: 1, ${key}: 2}`, 'x'.repeat(10_000)])
      assert.ok(JSON.stringify(refusal(text).values).length < 100)
  })
})

describe('readElements', () => {
  const read = (text: string, before: (index: number) => undefined = () => undefined) =>
    readElements(text, 'list', {
      ...{ around: 0, maxLength: 9, before },
      tooLong: () => Object.assign(new Error(), { code: 'TooLong' }),
    })

  it('gives the elements of a list as they were sent, and the rest of the object', async () => {
    const places: number[] = []
    const found = await read('{ "a": true, "list": [ {"x":1}, [], "é" , 1.50], "b": [[]] }', (index) => {
      places.push(index)
      return undefined
    })
    assert.deepEqual(found?.elements, ['{"x":1}', '[]', '"é"', '1.50'])
    assert.deepEqual({ ...found?.others }, { a: true, list: null, b: [[]] })
    assert.deepEqual(places, [0, 1, 2, 3])
    assert.deepEqual((await read('{"list":[]}'))?.elements, [])
    assert.equal((await read('{"list":{}}'))?.elements, undefined)
    assert.equal((await read('{}'))?.elements, undefined)
    assert.equal(await read('[1]'), undefined)
  })

  it('refuses what readJson refuses, and reads nothing behind what is too long', async () => {
    for (const [text, code] of [
      ['{"list":[],"list":[]}', 'DuplicateKey'],
      ['{"list":[1 2]}', 'MalformedJson'],
      ['{"list":[1]} x', 'MalformedJson'],
      ['{"list":[1,[1,2,3,4,5,6', 'TooLong'],
      ['{"list":["\\n\\n\\n\\n\\n\\n', 'TooLong'],
      ['{"a":[1,2,3,4,5,6', 'TooLong'],
      ['[1,2,3,4,5,6', 'TooLong'],
    ] as const)
      await assert.rejects(read(text), { code }, text)
  })
})

describe('losesDigits', () => {
  const cases: [source: string, loses: boolean][] = [
    ['0.1', false],
    ['1.50', false],
    ['1e3', false],
    ['-0', false],
    ['0e999999', false],
    ['9007199254740991', false],
    ['1e23', false],
    ['9007199254740993', true],
    ['0.1234567890123456789', true],
    ['1e400', true],
    ['-1e400', true],
    ['1e-400', true],
  ]
  for (const [source, loses] of cases) {
    it(`${source}: ${loses}`, () => assert.equal(losesDigits(source), loses))
  }

  it('is false for whatever a JavaScript number is written as', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(fc.property(finite, (number) => !losesDigits(JSON.stringify(number))))
  })
})

describe('decimalKey', () => {
  it('orders by value', () => {
    const ascending = ['-10', '-9.5', '-0.01', '0', '.5', '0.55', '1', '2', '10', '10.01', '1e2']
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        assert.equal(decimalKey(a) < decimalKey(b), i < j, `${a} against ${b}`)
      }
    }
  })

  it('takes no notice of spelling', () => {
    for (const spelling of ['12.5', '12.50', '012.5', '+12.5', '125e-1', '1.25E1']) {
      assert.equal(decimalKey(spelling), decimalKey('12.5'))
    }
    assert.equal(decimalKey('-0'), decimalKey('0.000'))
  })

  it('takes linear time on a megabyte of zeros', () => {
    const zeros = '0'.repeat(1024 * 1024)
    assert.equal(decimalKey(`${zeros}1`), decimalKey(`1.${zeros}`))
  })
})

it('naming a place takes no longer behind millions of lines than behind as many spaces', async () => {
  const work = (blank: string) => () => {
    const text = `[${blank.repeat(4_000_000)}x`
    return () => assert.throws(() => readJson(text), { code: 'MalformedJson' })
  }
  const measure = createLeast([work('\n'), work(' ')])
  await compareTimes(async () => {
    const [lines, spaces] = await measure(2)
    assert.ok(lines < 2 * spaces, `${lines} µs behind lines, ${spaces} µs behind spaces`)
  })
  const place = (text: string) => {
    try {
      readJson(text)
    } catch (error) {
      return error instanceof JsonError ? [error.at.line, error.at.column] : error
    }
  }
  assert.deepEqual(['x', '\nx', '[\r\n\n  x', '{"a":1,\n"a":2}'].map(place), [
    [1, 1],
    [2, 1],
    [3, 3],
    [2, 1],
  ])
})
