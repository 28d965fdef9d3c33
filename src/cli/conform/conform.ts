import { ApiError } from 'hydrant-client'
import {
  type ConformFinding,
  type ConformValues,
  checkApi,
  type FindingLevel,
  type VisitedApi,
  visitServer,
} from '../../conform/index.ts'
import { type Sentence, type Sentences, say } from '../../problem.ts'
import { amount, count } from '../../text.ts'
import { oneLine } from '../../types/index.ts'
import type { Invocation } from '../invocation.ts'
import { commandProblem } from '../problems.ts'
import { askerOf, readAddress, serverProblem } from '../server.ts'
import { DOCUMENTATION } from './documentation.ts'
import { REPRESENTATIONS } from './representations.ts'

const HEADINGS: Readonly<Record<FindingLevel, string>> = {
  wrong: 'Wrong: Hydra, or a standard that it builds on, requires something else',
  missing: 'Missing: clients need it',
  practice: 'Good practice: it helps clients',
}
const LEVELS = Object.keys(HEADINGS) as FindingLevel[]

/** More of a kind are only counted on a terminal. */
const SHOWN = 5

/** `hydrant conform <url>`: checks a Hydra API against the vocabulary. */
export async function conform(call: Invocation, source: string): Promise<void> {
  const address = readAddress(source)
  const api = await visitServer(address, askerOf(call)).catch((error: unknown) => {
    throw error instanceof ApiError ? serverProblem(error, address) : error
  })
  const findings = checkApi(api).map((finding) => ({ ...finding, sentence: sentenceOf(finding) }))
  const { requests, entryPoint, documentation } = api
  const output = {
    address,
    entryPoint: entryPoint.url,
    documentation: documentation?.url,
    requests,
    findings: findings.map(({ values: _, ...finding }) => finding),
  }
  call.say(
    output,
    [summaryOf(api, findings), ...LEVELS.flatMap((level) => linesOf(level, findings))].join('\n'),
  )
  const wrong = findings.filter(({ level }) => level === 'wrong').length
  if (wrong > 0) throw commandProblem('NotConforming', { address, wrong })
}

export const CONFORM: Sentences<ConformValues> = { ...DOCUMENTATION, ...REPRESENTATIONS }

const sentenceOf = ({ code, values }: ConformFinding): string =>
  say(CONFORM[code] as Sentence<never>, { code, values, at: {} })

/** Texts of a server may be long, and have control characters, which a terminal would interpret. */
function printable(text: string): string {
  const line = oneLine(text)
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

const LONGEST = 400

type SaidFinding = ConformFinding & { readonly sentence: string }

function summaryOf({ start, requests, collections }: VisitedApi, findings: readonly SaidFinding[]): string {
  const numbers = LEVELS.map((level) => {
    const found = findings.filter((one) => one.level === level).length
    return `${amount(found)} ${level === 'practice' ? 'of good practice' : level}`
  })
  const seen = `${count(collections.length, 'collection')}, ${count(requests, 'request')}`
  return `${start.url}: ${numbers.join(', ')} (${seen})`
}

/** Findings of one rule stand together. */
function linesOf(level: FindingLevel, all: readonly SaidFinding[]): string[] {
  const rules = Object.values(
    Object.groupBy(
      all.filter((one) => one.level === level),
      ({ code }) => code,
    ),
  )
  if (rules.length === 0) return []
  return ['', HEADINGS[level], ...rules.flatMap((findings) => linesOfRule(findings ?? []))]
}

function linesOfRule(findings: readonly SaidFinding[]): string[] {
  const shown = findings.slice(0, SHOWN)
  const said = Object.groupBy(shown, ({ term, sentence }) => printable(`${term}: ${sentence}`))
  const lines = Object.entries(said).flatMap(([line, places = []]) => [
    `  ${line}`,
    ...places.map(({ address }) => `      ${printable(address)}`),
  ])
  const more = findings.length - shown.length
  return more === 0 ? lines : [...lines, `      and ${amount(more)} more, which --json lists`]
}
