/** Problems in words, for people at a terminal and for authors of programs. */
import { Problem, type Sentence, say } from '../../problem.ts'
import { DATABASE } from './database.ts'

/** Sentences by code. */
type SentenceTable = Readonly<Record<string, Sentence<never>>>

const OTHERS: SentenceTable = { ...DATABASE }

/** The lines that a person at a terminal reads about an error. */
export function linesOf(error: unknown): readonly string[] {
  if (!(error instanceof Problem)) return [error instanceof Error ? error.message : String(error)]
  const sentence = OTHERS[error.code]
  // A bug: the code is all there is to say.
  return [sentence === undefined ? error.code : say(sentence, error)]
}

/** The error that the author of a program gets: its message is the sentence, and `code` tells problems apart. */
export function toProgramError(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  return Object.assign(new Error(linesOf(error).join('\n'), { cause: error }), { code: error.code })
}
