import { ApiError } from 'hydrant-client'
import { isOfKind, sentenceOf } from '../../../shared/connection/index.ts'
import type { PropertyDraft } from './draft.ts'
import {
  type FieldReading,
  type FormProblem,
  type FormReading,
  ROOT,
  readForm,
  sentenceAbout,
} from './reading.ts'

export function problemsOf(error: unknown, drafts: readonly PropertyDraft[], root = ROOT): FormProblems {
  if (error instanceof ApiError && error.violations.length > 0)
    return incomplete(placeViolations(error, drafts, root))
  // No response, or an unreadable one, or a proxy's: the server may have saved it nevertheless.
  const uncertain = isOfKind(error, 'unreachable', 'unavailable', 'malformed')
  return {
    title: uncertain ? 'It may or may not have been saved' : 'It was not saved',
    list: [{ id: undefined, sentence: sentenceOf(error) }],
    uncertain,
    attempt: Symbol(),
  }
}

export interface FormProblems {
  readonly title: string
  readonly list: readonly FormProblem[]
  readonly uncertain: boolean
  /** Changes with each attempt to save, which moves the focus to the summary. Corrections keep it. */
  readonly attempt: symbol
}

export const incomplete = (list: readonly FormProblem[], attempt = Symbol()): FormProblems => ({
  title: list.length === 1 ? 'There is a problem' : `There are ${list.length} problems`,
  list: inOrder(list),
  uncertain: false,
  attempt,
})

export const inOrder = (list: readonly FormProblem[]): readonly FormProblem[] =>
  list.toSorted(({ id: one = 'none' }, { id: other = 'none' }) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )

/** The problems that are left after a change. The form checks its own again; the server's end when the value changes. */
export function problemsLeft(
  problems: FormProblems,
  before: FormReading,
  now: FormReading,
): FormProblems | undefined {
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

/** Finds the field of each violation. */
export function placeViolations(
  { code, violations }: Pick<ApiError, 'code' | 'violations'>,
  drafts: readonly PropertyDraft[],
  root = ROOT,
): readonly FormProblem[] {
  const { fields } = readForm(drafts, undefined, root)
  const starts = fields.map((field) => ({ ...field, start: `${pathOf(field.path)}/` }))
  const innermostFirst = starts.toSorted((one, other) => other.start.length - one.start.length)
  return violations.map(({ propertyPath, message }) => {
    const wanted = `${pathOf(propertyPath)}/`
    const found =
      // A property may be named `home.street` beside a street within home.
      fields.find(({ path }) => path === propertyPath) ??
      innermostFirst.find((field) => isAround(field, wanted))
    if (found) return { id: found.id, sentence: aboutField(found.label, message) }
    return { id: undefined, sentence: propertyPath ? `${propertyPath}: ${message}` : message }
  })

  /** Hydrant's message continues a sentence that begins with the property; another API's is a sentence of its own. */
  function aboutField(label: string, message: string): string {
    return code === VALIDATION_FAILED ? sentenceAbout(label, message) : `${label}: ${message}`
  }
}

/** The code of Hydrant for values that are not valid (hypermedia.md, Writing). */
const VALIDATION_FAILED = 'ValidationFailed'

/** Other APIs write `home.street`, `genres[1]` or `/home/street`, and their names may contain such signs. */
const pathOf = (text: string): string =>
  text
    .split(/[/.[\]]/)
    .filter(Boolean)
    .join('/')

/** Whether a path is that of the field, or within it. `start`: how paths within the field begin. */
function isAround({ start, draft }: FieldReading & { readonly start: string }, wanted: string): boolean {
  if (!('tag' in draft)) return wanted.startsWith(start)
  // RFC 5646 §2.1.1: language tags are case-insensitive, unlike the names before them.
  const tag = start.lastIndexOf('/', start.length - 2) + 1
  const isSameTag = wanted.slice(tag).toLowerCase() === start.slice(tag).toLowerCase()
  return isSameTag && wanted.startsWith(start.slice(0, tag))
}
