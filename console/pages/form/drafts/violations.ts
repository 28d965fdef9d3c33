import type { PropertyDescription, Violation } from '../../../../src/client/index.ts'
import type { Draft, PropertyDraft } from './draft.ts'
import { type Placed, placeIn, type Spot, sentenceAbout, spotOf, spotOfItem, WHOLE } from './field-ids.ts'
import { isObject } from './kinds.ts'
import { sentItems } from './reading.ts'

/** Those that say something: in other APIs there may be anything in the list, and a place may be no text. */
export const readViolations = (violations: readonly unknown[]): readonly Violation[] =>
  violations.flatMap((one) => {
    if (!isObject(one) || typeof one.message !== 'string' || one.message.trim() === '') return []
    const { message, propertyPath } = one
    return [{ propertyPath: typeof propertyPath === 'string' ? propertyPath : '', message }]
  })

/** What the server found wrong, each beside its field. */
export const placeViolations = (
  violations: readonly Violation[],
  drafts: readonly PropertyDraft[],
): readonly Placed[] =>
  violations.map(({ propertyPath, message }) => {
    const found = findProperty(drafts, propertyPath, WHOLE)
    if (found) return { place: found.place, sentence: sentenceAbout(found.label, inPlainWords(message)) }
    return { place: undefined, sentence: propertyPath ? `${propertyPath}: ${message}` : message }
  })

/** RFC 3987 has a word for it that nobody knows who fills in a form. */
const inPlainWords = (message: string): string => message.replace(/\ban absolute IRI\b/, 'a full address')

/** `home/street`, `genres/1`; others write `home.street`, `genres[1]`, `/home/street`. */
const SEPARATORS = /^[/.[\]]+/

function findProperty(drafts: readonly PropertyDraft[], path: string, outer: Spot): Spot | undefined {
  const rest = path.replace(SEPARATORS, '')
  const [best] = drafts
    .map((draft, index) => ({ ...draft, index }))
    .filter(({ property: { name } }) => rest.startsWith(name) && /^($|[/.[\]])/.test(rest.slice(name.length)))
    // In other APIs a name may begin with another name and a dot.
    .sort((one, other) => other.property.name.length - one.property.name.length)
  if (!best) return undefined
  const { property, draft, index } = best
  const deeper = rest.slice(property.name.length).replace(SEPARATORS, '')
  return findWithin(draft, property, deeper, spotOf(outer, property, index))
}

/** As deep as the path and the form go. */
function findWithin(draft: Draft, property: PropertyDescription, rest: string, spot: Spot): Spot {
  if (rest === '') return spot
  switch (draft.kind) {
    case 'embedded':
      return (draft.present && findProperty(draft.properties, rest, spot)) || spot
    case 'languages': {
      const row = draft.rows.find(({ tag }) => tag.trim().toLowerCase() === rest.toLowerCase())
      return row ? { ...spot, place: placeIn(spot.place, row.key) } : spot
    }
    case 'list': {
      const [, index = '', deeper = ''] = /^(\d+)[/.[\]]*(.*)$/s.exec(rest) ?? []
      const item = index === '' ? undefined : sentItems(draft, property)[Number(index)]
      if (!item) return spot
      const number = draft.items.indexOf(item) + 1
      return findWithin(item.draft, property, deeper, spotOfItem(spot, item.key, number))
    }
    default:
      return spot
  }
}
