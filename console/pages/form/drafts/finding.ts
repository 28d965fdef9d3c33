import type { Draft, LanguageRow, PropertyDraft } from './draft.ts'

/** What is typed at a place, as deep as the form goes: each change makes another one of it. */
export function findAt(drafts: readonly PropertyDraft[], place: string): Draft | LanguageRow | undefined {
  const [first = -1, ...deeper] = place.split('-').slice(1).map(Number)
  return deeper.reduce<Draft | LanguageRow | undefined>(
    (found, key) => (found && 'kind' in found ? within(found, key) : undefined),
    drafts[first]?.draft,
  )
}

function within(draft: Draft, key: number): Draft | LanguageRow | undefined {
  switch (draft.kind) {
    case 'list':
      return draft.items.find((item) => item.key === key)?.draft
    case 'languages':
      return draft.rows.find((row) => row.key === key)
    case 'embedded':
      return draft.properties[key]?.draft
    default:
      return undefined
  }
}
