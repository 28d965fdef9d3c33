import type { PropertyDescription, Violation } from '../../../../src/client/index.ts'
import { isObject } from '../../../shared/values/index.ts'
import type { Draft, PropertyDraft } from './draft.ts'
import { type Field, fieldId, fieldOf, fieldOfItem, type Problem, sentenceAbout, WHOLE } from './field-ids.ts'
import { sentItems } from './reading.ts'

/** The violations that say something: other APIs may send anything in the list. */
export const readViolations = (violations: readonly unknown[]): readonly Violation[] =>
  violations.flatMap((one) => {
    if (!isObject(one) || typeof one.message !== 'string' || one.message.trim() === '') return []
    const { message, propertyPath } = one
    return [{ propertyPath: typeof propertyPath === 'string' ? propertyPath : '', message }]
  })

export const placeViolations = (
  violations: readonly Violation[],
  drafts: readonly PropertyDraft[],
): readonly Problem[] =>
  violations.map(({ propertyPath, message }) => {
    const found = findProperty(drafts, propertyPath, WHOLE)
    if (found) return { id: found.id, sentence: sentenceAbout(found.label, inPlainWords(message)) }
    return { id: undefined, sentence: propertyPath ? `${propertyPath}: ${message}` : message }
  })

/** "IRI" is a word of RFC 3987 that a form does not use. */
const inPlainWords = (message: string): string => message.replace(/\ban absolute IRI\b/, 'a full address')

/** `home/street`, `genres/1`; others write `home.street`, `genres[1]`, `/home/street`. */
const SEPARATORS = /^[/.[\]]+/

function findProperty(drafts: readonly PropertyDraft[], path: string, outer: Field): Field | undefined {
  const rest = path.replace(SEPARATORS, '')
  const [best] = drafts
    .map((draft, index) => ({ ...draft, index }))
    .filter(({ property: { name } }) => rest.startsWith(name) && /^($|[/.[\]])/.test(rest.slice(name.length)))
    // In other APIs a name may begin with another name and a dot: the longest wins.
    .sort((one, other) => other.property.name.length - one.property.name.length)
  if (!best) return undefined
  const { property, draft, index } = best
  const deeper = rest.slice(property.name.length).replace(SEPARATORS, '')
  return findWithin(draft, property, deeper, fieldOf(outer, property, index))
}

function findWithin(draft: Draft, property: PropertyDescription, rest: string, field: Field): Field {
  if (rest === '') return field
  switch (draft.kind) {
    case 'embedded':
      return (draft.present && findProperty(draft.properties, rest, field)) || field
    case 'languages': {
      const row = draft.rows.find(({ tag }) => tag.trim().toLowerCase() === rest.toLowerCase())
      return row ? { ...field, id: fieldId(field.id, row.key) } : field
    }
    case 'list': {
      const [, index = '', deeper = ''] = /^(\d+)[/.[\]]*(.*)$/s.exec(rest) ?? []
      const item = index === '' ? undefined : sentItems(draft, property)[Number(index)]
      if (!item) return field
      const number = draft.items.indexOf(item) + 1
      return findWithin(item.draft, property, deeper, fieldOfItem(field, item.key, number))
    }
    default:
      return field
  }
}
