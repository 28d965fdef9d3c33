import { refusal } from '../api/index.ts'
import { HttpError, invalid, type Violation } from '../errors.ts'
import { isObject, readJson } from '../json.ts'
import type { Link } from '../store/index.ts'
import { hasCollection, type Model, pathTo } from '../vocabulary/index.ts'
import type { Addresses, Identity } from './addresses.ts'

/** What has become of the members so far. */
export interface Tally {
  added: number
  alreadyThere: number
  refused: number
}

/** Told of everything that is wrong with a member, in one line each. */
export type Report = (line: number, sentence: string) => void

export function refuse(tally: Tally, report: Report, line: number, error: HttpError): void {
  tally.refused++
  if (error.violations.length === 0) report(line, withLineOfFile(error.message, line))
  for (const violation of error.violations) report(line, sentenceOf(violation))
}

const sentenceOf = ({ propertyPath, message }: Violation): string =>
  propertyPath === '' ? message : `${propertyPath}: ${message}`

/** The line of broken JSON is counted from the beginning of the member; in the report, of the file. */
const withLineOfFile = (sentence: string, line: number): string =>
  sentence.replace(
    / line (\d+), column /,
    (_, within: string) => ` line ${line + Number(within) - 1}, column `,
  )

/** What is wrong with the data; anything else is thrown on. */
export function asRefusal(error: unknown): HttpError {
  if (error instanceof HttpError && error.status < 500) return error
  throw error
}

/** Members of the data that were refused: what links to one of them is refused for that, and should say so. */
export interface RefusedMembers {
  add(className: string, id: string, line: number): void
  /** A text that could not be read as a member, but may say which one it was to be. */
  addText(text: string, line: number): void
  /** Why a member with these links is refused. `lineOf`: of members that are about to be refused. */
  errorFor(dangling: readonly Link[], lineOf?: (link: Link) => number | undefined): HttpError
}

/** So many are remembered: a file in which everything is wrong may have any number. */
const MOST_REMEMBERED = 10_000

export function createRefusedMembers(model: Model, addresses: Addresses): RefusedMembers {
  const lines = new Map<string, number>()
  const collections = new Map(
    model.classes.filter(hasCollection).map(({ name, collection }) => [name, collection]),
  )
  const keyOf = (className: string, id: string) => `${className} ${id}`

  function add(className: string, id: string, line: number): void {
    if (lines.size < MOST_REMEMBERED) lines.set(keyOf(className, id), line)
  }

  return {
    add,
    addText(text, line) {
      if (lines.size >= MOST_REMEMBERED) return
      const found = identityIn(text, addresses)
      if (found?.id !== undefined) add(found.cls.name, found.id, line)
    },
    errorFor: (dangling, lineOf = () => undefined) =>
      invalid(
        dangling.flatMap((link) => {
          const { property, className, id } = link
          const line = lines.get(keyOf(className, id)) ?? lineOf(link)
          if (line === undefined)
            return refusal({ outcome: 'refused', dangling: [link], taken: [] }).violations
          const message = `links to ${pathTo(collections.get(className) ?? className)}/${id}, which was refused (line ${line}).`
          return [{ propertyPath: property, message }]
        }),
      ),
  }
}

/** As far as it can be told without understanding the rest. */
function identityIn(text: string, { identify }: Addresses): Identity | undefined {
  try {
    const sent = readJson(text)
    return isObject(sent) ? identify(sent['@type'], sent['@id']) : undefined
  } catch {
    return undefined
  }
}
