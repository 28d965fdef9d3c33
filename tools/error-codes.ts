// Regenerates the table in docs/errors.md: `node tools/error-codes.ts`. A test checks that the table is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROBLEM_TYPES } from '../src/api/problems/index.ts'

export const ERRORS_PAGE = join(import.meta.dirname, '../docs/errors.md')

/** Returns the page with an up-to-date table between the two markers. */
export const withErrorCodes = (page: string): string =>
  page.replace(
    /(<!-- error codes -->\n)[\s\S]*?(<!-- \/error codes -->)/,
    (_, start, end) => `${start}\n${errorCodes()}\n\n${end}`,
  )

function errorCodes(): string {
  const rows = PROBLEM_TYPES.toSorted((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1)).map(
    ({ code, status, title, help }) => `| ${status} | \`${code}\` | ${title} | ${help} |`,
  )
  return ['| status | code | title | what to do |', '|---|---|---|---|', ...rows].join('\n')
}

if (import.meta.main) writeFileSync(ERRORS_PAGE, withErrorCodes(readFileSync(ERRORS_PAGE, 'utf8')))
