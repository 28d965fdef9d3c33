import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sentence, say } from '../../src/problem.ts'

type SentenceTable = Readonly<Record<string, Sentence<never>>>

type ValuesOf<Entry> = [Extract<Entry, (...values: never) => string>] extends [never]
  ? object
  : Extract<Entry, (...values: never) => string> extends (values: infer Values, ...rest: never) => string
    ? Values
    : never

/** A code, an example of its values, and its sentence. */
export type SentenceRow<Table> = {
  readonly [Code in keyof Table & string]: readonly [
    code: Code,
    values: ValuesOf<Table[Code]>,
    sentence: string,
  ]
}[keyof Table & string]

/** Compares each sentence of a table once, and finds a code without a row; other tests compare codes. */
export function testSentences<Table extends SentenceTable>(
  table: Table,
  rows: readonly SentenceRow<Table>[],
): void {
  for (const [code, values, sentence] of rows)
    test(`${code}: ${sentence.slice(0, 60)}`, () =>
      assert.equal(say(table[code] as Sentence<never>, { code, values: values as object, at: {} }), sentence))

  test('every code has a row', () => {
    const compared = new Set<string>(rows.map(([code]) => code))
    assert.deepEqual(
      Object.keys(table).filter((code) => !compared.has(code)),
      [],
    )
  })
}
