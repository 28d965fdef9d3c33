import { ApiError } from '../../../../src/client/index.ts'
import { sentenceOf } from '../../../shared/controls/error-sentence.ts'
import { incomplete, type Problems } from './corrections.ts'
import type { PropertyDraft } from './draft.ts'
import type { Placed } from './field-ids.ts'
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
