import type { Documentation, PropertyDescription } from '../../../../src/client/index.ts'
import { type Values, valueIn } from '../../../shared/values/index.ts'
import { isSame } from '../drafts/changes.ts'
import { draftOf, type PropertyDraft } from '../drafts/draft.ts'

export type Side = 'mine' | 'theirs'

export interface Difference {
  readonly property: PropertyDescription
  readonly seen: unknown
  readonly current: unknown
  readonly mine: unknown
  readonly changedBy: Side | 'both'
}

/** The same change by both sides is no difference. */
export function compare(
  drafts: readonly PropertyDraft[],
  seen: Values,
  current: Values,
  mine: Values,
): readonly Difference[] {
  return drafts.flatMap(({ property }) => {
    const [was, is, wanted] = [seen, current, mine].map((values) => valueIn(values, property.name))
    if (isSame(is, wanted)) return []
    const changedBy = isSame(was, is) ? 'mine' : isSame(was, wanted) ? 'theirs' : 'both'
    return [{ property, seen: was, current: is, mine: wanted, changedBy }]
  })
}

/** A change by one side alone is kept; a change by both has to be decided. */
export const proposedSide = ({ changedBy }: Difference): Side | undefined =>
  changedBy === 'both' ? undefined : changedBy

export function mergedDrafts(
  drafts: readonly PropertyDraft[],
  current: Values,
  isMine: (property: PropertyDescription) => boolean,
  documentation: Documentation,
): readonly PropertyDraft[] {
  return drafts.map(({ property, draft }) => ({
    property,
    draft: isMine(property) ? draft : draftOf(property, valueIn(current, property.name), documentation),
  }))
}
