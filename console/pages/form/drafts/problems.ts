import { ApiError, type PropertyViolation } from 'hydrant-client'
import { isOfKind, sentenceOf } from '../../../shared/connection/index.ts'
import type { PropertyDraft } from './draft.ts'
import {
  type FieldReading,
  type FormReading,
  type Problem,
  ROOT,
  readForm,
  sentenceAbout,
} from './reading.ts'

export function problemsOf(error: unknown, drafts: readonly PropertyDraft[], root = ROOT): Problems {
  const violations = error instanceof ApiError ? error.violations : []
  if (violations.length > 0) return incomplete(placeViolations(violations, drafts, root))
  // No answer, a proxy's, or an unreadable one: the server may have done it all the same.
  const uncertain = isOfKind(error, 'unreachable', 'unavailable', 'malformed')
  return {
    title: uncertain ? 'It may or may not have been saved' : 'It was not saved',
    list: [{ id: undefined, sentence: sentenceOf(error) }],
    uncertain,
    attempt: Symbol(),
  }
}

export interface Problems {
  readonly title: string
  readonly list: readonly Problem[]
  readonly uncertain: boolean
  /** Corrections keep it: only a new attempt moves the focus to the summary. */
  readonly attempt: symbol
}

export const incomplete = (list: readonly Problem[], attempt = Symbol()): Problems => ({
  title: list.length === 1 ? 'One thing is not right yet' : `${list.length} things are not right yet`,
  list: inOrder(list),
  uncertain: false,
  attempt,
})

export const inOrder = (list: readonly Problem[]): readonly Problem[] =>
  list.toSorted(({ id: one = 'none' }, { id: other = 'none' }) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )

/** The problems that are left after a change: the form checks its own again; the server's go when the value changes. */
export function problemsLeft(
  problems: Problems,
  before: FormReading,
  now: FormReading,
): Problems | undefined {
  const draftIn = ({ fields }: FormReading, id: string) => fields.find((field) => field.id === id)?.draft
  const left = problems.list.flatMap((one) => {
    const { id, checked } = one
    if (id === undefined) return [one]
    if (checked) return now.violations.filter((other) => other.id === id).slice(0, 1)
    return draftIn(before, id) === draftIn(now, id) ? [one] : []
  })
  if (left.length === 0) return undefined
  // Problems without a field have a title of their own.
  const isAboutFields = problems.list.some(({ id }) => id !== undefined)
  return isAboutFields ? incomplete(left, problems.attempt) : problems
}

export function placeViolations(
  violations: readonly PropertyViolation[],
  drafts: readonly PropertyDraft[],
  root = ROOT,
): readonly Problem[] {
  const { fields } = readForm(drafts, undefined, root)
  const starts = fields.map((field) => ({ ...field, start: `${pathOf(field.path)}/` }))
  const innermostFirst = starts.toSorted((one, other) => other.start.length - one.start.length)
  return violations.map(({ propertyPath, message }) => {
    const wanted = `${pathOf(propertyPath)}/`
    const found =
      // A property may be named `home.street` beside a street within home.
      fields.find(({ path }) => path === propertyPath) ??
      innermostFirst.find((field) => isAround(field, wanted))
    if (found) return { id: found.id, sentence: sentenceAbout(found.label, message) }
    return { id: undefined, sentence: propertyPath ? `${propertyPath}: ${message}` : message }
  })
}

/** Others write `home.street`, `genres[1]`, `/home/street`; and their names may have such signs. */
const pathOf = (text: string): string =>
  text
    .split(/[/.[\]]/)
    .filter(Boolean)
    .join('/')

/** `start`: of the paths of what is within the field. */
function isAround({ start, draft }: FieldReading & { readonly start: string }, wanted: string): boolean {
  if (!('tag' in draft)) return wanted.startsWith(start)
  // RFC 5646 §2.1.1: language tags are the same in capitals; the names before them are not.
  const tag = start.lastIndexOf('/', start.length - 2) + 1
  const isSameTag = wanted.slice(tag).toLowerCase() === start.slice(tag).toLowerCase()
  return isSameTag && wanted.startsWith(start.slice(0, tag))
}
