/** Problems in words, for people at a terminal and for authors of programs. */
import { Problem, type ProblemData, type ProblemPlace, type Sentence, say } from '../../problem.ts'
import type { Note } from '../../vocabulary/index.ts'
import { API_FILE } from './api-file.ts'
import { DATABASE } from './database.ts'
import { FILES } from './files.ts'
import { COMPLETED, DOUBTFUL, IGNORED } from './notes.ts'
import { type SettingNames, settingSentences } from './settings.ts'
import { FOLLOWERS, HOOKS, START } from './start.ts'
import { DELIVERIES, WEBHOOKS } from './webhooks.ts'

export { fileProblem, fileReason } from './files.ts'
export { startProblem } from './start.ts'

/** Sentences by code. */
export type SentenceTable = Readonly<Record<string, Sentence<never>>>

/** What an audience reads: its sentences, and what it calls settings. */
interface Audience {
  readonly settings: SentenceTable
  readonly name: SettingNames
}

const audienceOf = (name: SettingNames): Audience => ({ settings: settingSentences(name), name })

const TERMINAL = audienceOf((flag) => `--${flag}`)

/** `page-size` → `pageSize`: settings are options here. */
const PROGRAM = audienceOf((flag) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))

const PLACED: SentenceTable = { ...API_FILE, ...WEBHOOKS }

const OTHERS: SentenceTable = { ...START, ...DATABASE, ...FILES }

/** Whether a setting is wrong, and so the way in which Hydrant was called. */
export const isSettingProblem = (error: unknown): boolean =>
  error instanceof Problem && Object.hasOwn(TERMINAL.settings, error.code)

/** Whether each line begins with its place in a file, which editors and terminals make clickable. */
export const isPlaced = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'InvalidApiFile'

/** The lines that a person at a terminal reads about an error; `more`: the sentences of commands. */
export const linesOf = (error: unknown, more: SentenceTable = {}): readonly string[] =>
  describe(error, TERMINAL, more)

/** The error that the author of a program gets: its message is the sentence, and `code` tells problems apart. */
export function toProgramError(error: unknown, more: SentenceTable = {}): unknown {
  if (!(error instanceof Problem)) return error
  const message = describe(error, PROGRAM, more).join('\n')
  const ErrorOfProgram = isSettingProblem(error) || Object.hasOwn(more, error.code) ? TypeError : Error
  return Object.assign(new ErrorOfProgram(message, { cause: error }), { code: error.code })
}

function describe(error: unknown, audience: Audience, more: SentenceTable): readonly string[] {
  if (!(error instanceof Problem)) return [error instanceof Error ? error.message : String(error)]
  const { code, at, violations } = error
  if (code === 'InvalidApiFile')
    return violations.map((one) => `${at.source}:${positionOf(one.at)} ${sayProblem(one)}`)
  if (code === 'InvalidHooks' || code === 'InvalidFollowers')
    return violations.map((one) => `${one.at.property}: ${sayIn({ ...HOOKS, ...FOLLOWERS }, one)}`)
  const sentence = sayIn({ ...audience.settings, ...OTHERS, ...more }, error)
  return [at.source === undefined ? sentence : `${sourceOf(at.source, at.line, audience.name)}: ${sentence}`]
}

/** Flags are named as the audience knows them; variables and files as they are. */
function sourceOf(source: string, line: number | undefined, name: SettingNames): string {
  const flag = /^--([a-z][a-z-]*)$/.exec(source)?.[1]
  return (flag === undefined ? source : name(flag)) + (line === undefined ? '' : `:${line}`)
}

/** A line and a column, or the path in a document without lines. */
function positionOf({ line, column, path = '' }: ProblemPlace): string {
  if (line !== undefined) return `${line}:${column}:`
  return path === '' ? '' : ` ${path}:`
}

/** A problem of an API file, or of another file beside it, without its place. */
export const sayProblem = (problem: ProblemData): string => sayIn(PLACED, problem)

/** Why a webhook has not delivered an event. */
export const sayDelivery = (problem: ProblemData): string => sayIn(DELIVERIES, problem)

/** The place comes first, where there is one. */
const placed = ({ path = '' }: ProblemPlace, sentence: string): string =>
  path === '' ? sentence : `${path}: ${sentence}`

const NOTES = { completed: COMPLETED, ignored: IGNORED, doubtful: DOUBTFUL }

export const sayNote = (note: Note): string => placed(note.at, sayIn(NOTES[note.kind], note))

function sayIn(table: SentenceTable | object, problem: ProblemData): string {
  const sentence = (table as SentenceTable)[problem.code]
  // A bug: the code is all there is to say.
  return sentence === undefined ? problem.code : say(sentence, problem)
}
