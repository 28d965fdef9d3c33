import { isUtf8 } from 'node:buffer'
import { HttpError } from '../errors.ts'
import { type JsonValue, readJson } from '../json.ts'
import { type Cut, cutOut, NOT_UTF8, type Problem, TOO_LONG } from './cutter.ts'
import type { Value } from './value-reader.ts'

/** It says something about the document as a whole, which is no member. */
export const besideGraph = (name: string, line: number): Cut => ({
  line,
  problem: `${JSON.stringify(name.slice(0, 100))} stands beside "@graph", where it belongs to no member; leave it out.`,
})

export function contextOf({ bytes, line }: Value): { readonly context: JsonValue } | Problem {
  if (bytes === undefined) return { line, problem: 'The context has more than 16 MiB; make it smaller.' }
  if (!isUtf8(bytes)) return { line, problem: NOT_UTF8 }
  try {
    return { context: readJson(bytes.toString('utf8')) }
  } catch (error) {
    if (error instanceof HttpError) return { line, problem: error.message }
    throw error
  }
}

export const elementOf = ({ bytes, line }: Value, place: number, context: JsonValue | undefined): Cut =>
  bytes === undefined ? { line, problem: TOO_LONG } : cutOut(bytes, line, place, context)
