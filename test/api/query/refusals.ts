import assert from 'node:assert/strict'
import { readProblem } from '../../../src/api/problems/index.ts'
import { Problem } from '../../../src/problem.ts'
import { KINDS, readerOf } from '../queries.ts'

/** What is sent, the code with its parameter and the reason, and values that the sentence shows. */
type Row = [query: string, code: string, ...shown: string[]]

interface Reasons {
  readonly expected?: string
  readonly reason?: string
  readonly purpose?: string
  readonly problem?: { readonly code: string; readonly values: { readonly datatype?: string } }
}

/** `whole: InvalidFilterValue (integer)`. */
function codeOf({ code, at, values }: Problem): string {
  const { expected, reason, purpose, problem } = values as Reasons
  const why = [expected ?? reason ?? purpose, problem?.code, problem?.values.datatype]
  const reasons = why.filter((one) => one !== undefined).join(' ')
  return `${at.parameter === undefined ? '' : `${at.parameter}: `}${code}${reasons && ` (${reasons})`}`
}

/** Each is refused with 400, and the sentence does not repeat at length what was sent. */
export function refuses(table: readonly Row[], read = readerOf(KINDS, 'Kind')): void {
  for (const [query, code, ...shown] of table) {
    assert.throws(
      () => read(query),
      (error) => {
        assert.ok(error instanceof Problem, `${query}: ${error}`)
        const { status, sentence } = readProblem(error)
        assert.deepEqual([codeOf(error), status], [code, 400], query)
        for (const value of shown) assert.ok(sentence.includes(value), `${query}: ${sentence}`)
        assert.match(sentence, /[.?]$/, query)
        assert.ok(sentence.length < 500, query)
        return true
      },
      query.slice(0, 200),
    )
  }
}
