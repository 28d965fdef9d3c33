import { ApiError } from '../../../../src/client/index.ts'
import { sentenceOf } from '../../../shared/connection/index.ts'
import { findAt, type PropertyDraft } from './draft.ts'
import { inOrder, type Problem } from './field-ids.ts'
import { placeViolations, readViolations } from './violations.ts'

/** No answer, a proxy's, or an unreadable one: the server may have done it all the same. */
const UNCERTAIN: readonly string[] = ['unreachable', 'unavailable', 'malformed']

export function problemsOf(error: unknown, drafts: readonly PropertyDraft[]): Problems {
  const violations = error instanceof ApiError ? readViolations(error.violations) : []
  if (violations.length > 0) return incomplete(placeViolations(violations, drafts))
  const uncertain = error instanceof ApiError && UNCERTAIN.includes(error.code)
  return {
    title: uncertain ? 'It may or may not have been saved' : 'It was not saved',
    list: [{ id: undefined, sentence: sentenceOf(error) }],
    uncertain,
    attempt: Symbol(),
  }
}

export function byField(list: readonly Problem[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { id, sentence } of list) {
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), sentence])
  }
  return found
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

/** The problems that are left after a change: the form checks its own again; the server's go when the value changes. */
export function problemsLeft(
  problems: Problems,
  before: readonly PropertyDraft[],
  now: readonly PropertyDraft[],
  violations: readonly Problem[],
): Problems | undefined {
  const left = problems.list.flatMap((one) => {
    const { id, checked } = one
    if (id === undefined) return [one]
    if (checked) return violations.filter((other) => other.id === id).slice(0, 1)
    return findAt(before, id) === findAt(now, id) ? [one] : []
  })
  return reduced(problems, left)
}

/** A half typed date has been completed or removed: only the browser could tell. */
export const problemsBeside = (problems: Problems, id: string): Problems | undefined =>
  reduced(
    problems,
    problems.list.filter((one) => one.checked || one.id !== id),
  )

function reduced(problems: Problems, left: readonly Problem[]): Problems | undefined {
  if (left.length === 0) return undefined
  // Problems without a field have a title of their own.
  const isAboutFields = problems.list.some(({ id }) => id !== undefined)
  return isAboutFields ? incomplete(left, problems.attempt) : problems
}
