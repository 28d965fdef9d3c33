import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { HttpError } from '../src/errors.ts'
import { JsonError, JsonNumber, type JsonValue, readElements, readJson } from '../src/json.ts'
import { decimalKey, losesDigits } from '../src/vocabulary/lexical-forms.ts'
import { compareTimes, createLeast } from './support/timing.ts'

/** As `JSON.parse` would have it, so that the two can be compared. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.source)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child)]))
}

const refusal = (text: string): HttpError => {
  try {
    readJson(text)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  return assert.fail(`accepted ${text.slice(0, 80)}`)
}

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
          assert.equal(refusal(candidate).status, 400)
          return
        }
        try {
          assert.deepEqual(plain(readJson(candidate)), expected)
        } catch (error) {
          assert.match(String(error), /twice/)
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

  const refused: [what: string, text: string, sentence: RegExp][] = [
    ['nothing', '', /line 1, column 1 it ends where a value is expected/],
    [
      'a missing comma',
      '{\n  "a": 1\n  "b": 2\n}',
      /line 3, column 3 there is "\\"" where a comma or "}" is expected/,
    ],
    ['a trailing comma', '[1,]', /column 4 there is "]" where a value/],
    ['a trailing comma in an object', '{"a":1,}', /column 8 .* a key in double quotes/],
    ['single quotes', "{'a': 1}", /column 2 there is "'" where a key in double quotes/],
    ['a leading zero', '01', /column 2 there is "1" where the end/],
    ['a leading plus', '+1', /where a value/],
    ['a bare point', '1.', /a digit after the decimal point/],
    ['an empty exponent', '1e', /a digit in the exponent/],
    ['a lone minus', '-', /a digit is expected/],
    ['NaN', 'NaN', /there is "N" where a value/],
    ['a raw line feed in a string', '"a\nb"', /an escape for this control character/],
    ['an unclosed string', '"abc', /column 5 it ends where a closing quote/],
    ['an unknown escape', '"\\x"', /one of/],
    ['half an escape', '"\\u12"', /four hexadecimal digits/],
    ['two documents', '1 2', /the end of the document/],
    ['a byte order mark', '\ufeff1', /where a value/],
    [
      'a duplicate key',
      '{"a": 1,\n "\\u0061": 2}',
      /The key "a" is in one object twice, again at line 2, column 2/,
    ],
    ['a duplicate __proto__', '{"__proto__": 1, "__proto__": 2}', /"__proto__"/],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), /more than 32 levels deep at line 1, column 33/],
    ['33 levels of objects', '{"a":'.repeat(33), /more than 32 levels/],
    ['a hundred thousand levels', '['.repeat(100_000), /more than 32 levels/],
    ['a megabyte of levels', '['.repeat(1024 * 1024), /more than 32 levels/],
  ]
  for (const [what, text, sentence] of refused) {
    it(`refuses ${what}`, () => {
      const error = refusal(text)
      assert.equal(error.status, 400)
      assert.match(error.message, sentence)
    })
  }

  it('takes 32 levels', () => {
    assert.ok(readJson('['.repeat(32) + ']'.repeat(32)))
  })

  it('does not echo long input', () => {
    const key = JSON.stringify('k'.repeat(10_000))
    assert.ok(refusal(`{${key}: 1, ${key}: 2}`).message.length < 250)
    assert.ok(refusal('x'.repeat(10_000)).message.length < 250)
  })
})

describe('readElements', () => {
  const read = (text: string, before: (index: number) => undefined = () => undefined) =>
    readElements(text, 'list', {
      ...{ around: 0, longest: 9, before },
      tooLong: (index) => new HttpError(413, String(index)),
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
    for (const [text, status] of [
      ['{"list":[],"list":[]}', 400],
      ['{"list":[1 2]}', 400],
      ['{"list":[1]} x', 400],
      ['{"list":[1,[1,2,3,4,5,6', 413],
      ['{"list":["\\n\\n\\n\\n\\n\\n', 413],
      ['{"a":[1,2,3,4,5,6', 413],
      ['[1,2,3,4,5,6', 413],
    ] as const)
      await assert.rejects(read(text), { status }, text)
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
    return () => assert.throws(() => readJson(text), /^HttpError: This is not JSON: at line \d+, column \d+ /)
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
      return error instanceof JsonError ? [error.place.line, error.place.column] : error
    }
  }
  assert.deepEqual(['x', '\nx', '[\r\n\n  x', '{"a":1,\n"a":2}'].map(place), [
    [1, 1],
    [2, 1],
    [3, 3],
    [2, 1],
  ])
})
