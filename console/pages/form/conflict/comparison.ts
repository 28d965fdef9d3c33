import type { Documentation, PropertyDescription } from '../../../../src/client/index.ts'
import { isSame } from '../drafts/changes.ts'
import { draftOf, type PropertyDraft } from '../drafts/draft.ts'
import { valueIn } from '../drafts/kinds.ts'

type Values = Readonly<Record<string, unknown>>

export type Side = 'mine' | 'theirs'

/** A property that is no longer as it was found, or is not to be. */
export interface Difference {
  readonly property: PropertyDescription
  readonly seen: unknown
  readonly current: unknown
  readonly mine: unknown
  readonly changedBy: Side | 'both'
}

/** Where both have changed it to the same value there is nothing to decide. */
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

/** What only one side has changed stays changed. What both have, somebody has to decide. */
export const proposedSide = ({ changedBy }: Difference): Side | undefined =>
  changedBy === 'both' ? undefined : changedBy

/** The form over the member as it is now, with what was chosen of one's own. */
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
