import { refusal } from '../api/index.ts'
import { HttpError, invalid, sentenceOf } from '../errors.ts'
import { isObject, readJson } from '../json.ts'
import type { Link } from '../store/index.ts'
import { hasCollection, type Model, pathTo } from '../vocabulary/index.ts'
import type { Outcome } from './add-members.ts'
import type { Addresses, Identity } from './addresses.ts'
import type { ReadMember } from './member-reader.ts'
import type { Found } from './ndjson.ts'

/** What has become of the members so far. */
export interface Tally {
  added: number
  alreadyThere: number
  refused: number
}

/** Told of everything that is wrong with a member, in one line each. */
export type Report = (line: number, sentence: string) => void

/** What becomes of the members: counted, and reported where they are refused. */
export interface Results {
  readonly tally: Tally
  record(read: ReadMember, one: Exclude<Outcome, { readonly outcome: 'dangling' }>): void
  refuse(line: number, error: HttpError): void
  /** What could not be read as a member, but may say which one it was to be. Throws what is not the data's fault. */
  refuseText(found: Found, error: unknown): void
  /**
   * Why a member with these links is refused: what links to one that was refused says so. `lineOf`: of members that are
   * about to be refused.
   */
  errorFor(dangling: readonly Link[], lineOf?: (link: Link) => number | undefined): HttpError
}

/** So many refused members are remembered: a file in which everything is wrong may have any number. */
const MOST_REMEMBERED = 10_000

export function createResults(model: Model, addresses: Addresses, report: Report): Results {
  const tally: Tally = { added: 0, alreadyThere: 0, refused: 0 }
  const lines = new Map<string, number>()
  const collections = new Map(
    model.classes.filter(hasCollection).map(({ name, collection }) => [name, collection]),
  )
  const keyOf = (className: string, id: string) => `${className} ${id}`

  function remember(className: string, id: string, line: number): void {
    if (lines.size < MOST_REMEMBERED) lines.set(keyOf(className, id), line)
  }

  function refuse(line: number, { message, violations }: HttpError): void {
    tally.refused++
    if (violations.length === 0) report(line, withLineOfFile(message, line))
    for (const violation of violations) report(line, sentenceOf(violation))
  }

  return {
    tally,
    refuse,
    record({ text: { line }, cls, id, afterWrite }, one) {
      if (one.outcome === 'added') {
        tally.added++
        afterWrite()
      }
      if (one.outcome === 'there') tally.alreadyThere++
      if (one.outcome === 'refused') {
        refuse(line, one.error)
        remember(cls.name, id, line)
      }
    },
    refuseText(found, error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      refuse(found.line, error)
      const known = 'text' in found ? identityIn(found.text, addresses) : undefined
      if (known?.id !== undefined) remember(known.cls.name, known.id, found.line)
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

/** The line of broken JSON is counted from the beginning of the member; in the report, of the file. */
const withLineOfFile = (sentence: string, line: number): string =>
  sentence.replace(
    / line (\d+), column /,
    (_, within: string) => ` line ${line + Number(within) - 1}, column `,
  )

/** As far as it can be told without understanding the rest. */
function identityIn(text: string, { identify }: Addresses): Identity | undefined {
  try {
    const sent = readJson(text)
    return isObject(sent) ? identify(sent['@type'], sent['@id']) : undefined
  } catch {
    return undefined
  }
}
