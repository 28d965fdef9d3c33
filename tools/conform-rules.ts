// Regenerates the table in docs/conform.md: `node tools/conform-rules.ts`. A test checks that the table is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFORM } from '../src/cli/conform/conform.ts'
import { CONFORM_RULES, type ConformCode } from '../src/conform/index.ts'
import { type Sentence, say } from '../src/problem.ts'

export const CONFORM_PAGE = join(import.meta.dirname, '../docs/conform.md')

/** Stands for every value of a sentence. */
const VALUES = {
  ...Object.fromEntries(
    'name now mediaType iri range variable method said status'.split(' ').map((name) => [name, '…']),
  ),
  reason: 'not-json',
}

export const sentenceOf = (code: ConformCode, values: object): string =>
  say(CONFORM[code] as Sentence<never>, { code, values, at: {} })

/** Returns the page with an up-to-date table between the two markers. */
export const withRules = (page: string): string =>
  page.replace(
    /(<!-- rules -->\n)[\s\S]*?(<!-- \/rules -->)/,
    (_, start, end) => `${start}\n${table()}\n\n${end}`,
  )

function table(): string {
  const rows = Object.entries(CONFORM_RULES).map(([code, { level, term }]) => {
    const sentence = sentenceOf(code as ConformCode, VALUES)
    return `| ${level} | \`${code}\` | \`${term}\` | ${sentence.replaceAll('<', '\\<')} |`
  })
  return ['| level | code | term | sentence |', '|---|---|---|---|', ...rows].join('\n')
}

if (import.meta.main) writeFileSync(CONFORM_PAGE, withRules(readFileSync(CONFORM_PAGE, 'utf8')))
