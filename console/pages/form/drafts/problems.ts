import { ApiError } from '../../../../src/client/index.ts'
import { sentenceOf } from '../../../shared/controls/error-sentence.ts'
import { findAt, type PropertyDraft } from './draft.ts'
import { inOrder, type Placed } from './field-ids.ts'
import { placeViolations, readViolations } from './violations.ts'

/** No answer, one from in between, or one that says nothing: the server may have done it all the same. */
const UNCERTAIN: readonly string[] = ['unreachable', 'unavailable', 'malformed']

/** In the server's own words, each beside its field where it has one. */
export function problemsOf(error: unknown, drafts: readonly PropertyDraft[]): Problems {
  const violations = error instanceof ApiError ? readViolations(error.violations) : []
  if (violations.length > 0) return incomplete(placeViolations(violations, drafts))
  const uncertain = error instanceof ApiError && UNCERTAIN.includes(error.code)
  return {
    title: uncertain ? 'It may or may not have been saved' : 'It was not saved',
    list: [{ place: undefined, sentence: sentenceOf(error) }],
    uncertain,
    attempt: Symbol(),
  }
}

/** By place, for the fields. */
export function byPlace(list: readonly Placed[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { place, sentence } of list) {
    if (place !== undefined) found.set(place, [...(found.get(place) ?? []), sentence])
  }
  return found
}

/** Why a form was not saved. */
export interface Problems {
  readonly title: string
  readonly list: readonly Placed[]
  /** No answer came to a request that may have been carried out. */
  readonly uncertain: boolean
  /** The attempt that they are of: whoever corrects one after the other sees them go, and is told of nothing new. */
  readonly attempt: symbol
}

export const incomplete = (list: readonly Placed[], attempt = Symbol()): Problems => ({
  title: list.length === 1 ? 'One thing is not right yet' : `${list.length} things are not right yet`,
  list: inOrder(list),
  uncertain: false,
  attempt,
})

/**
 * What is left of them after something was changed. What the form can tell itself is looked at again; what only others
 * have found is settled once the value is another.
 */
export function problemsLeft(
  problems: Problems,
  before: readonly PropertyDraft[],
  now: readonly PropertyDraft[],
  violations: readonly Placed[],
): Problems | undefined {
  const left = problems.list.flatMap((one) => {
    const { place, checked } = one
    if (place === undefined) return [one]
    if (checked) return violations.filter((other) => other.place === place).slice(0, 1)
    return findAt(before, place) === findAt(now, place) ? [one] : []
  })
  return reduced(problems, left)
}

/** A date that was half typed is read now, or gone: only the browser could tell. */
export const problemsBeside = (problems: Problems, place: string): Problems | undefined =>
  reduced(
    problems,
    problems.list.filter((one) => one.checked || one.place !== place),
  )

function reduced(problems: Problems, left: readonly Placed[]): Problems | undefined {
  if (left.length === 0) return undefined
  // What concerns no field has a title of its own.
  const isAboutFields = problems.list.some(({ place }) => place !== undefined)
  return isAboutFields ? incomplete(left, problems.attempt) : problems
}
