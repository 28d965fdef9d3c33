import { ApiError, type PropertyDescription, type Violation } from '../../../../src/client/index.ts'
import { hasCode, sentenceOf } from '../../../shared/connection/index.ts'
import { isObject } from '../../../shared/values.ts'
import { type Draft, findAt, type PropertyDraft } from './draft.ts'
import {
  type Field,
  fieldId,
  fieldOf,
  fieldOfItem,
  inOrder,
  type Problem,
  ROOT,
  sentenceAbout,
} from './field-ids.ts'
import { sentItems } from './reading.ts'

export function problemsOf(error: unknown, drafts: readonly PropertyDraft[], root = ROOT): Problems {
  const violations = error instanceof ApiError ? readViolations(error.violations) : []
  if (violations.length > 0) return incomplete(placeViolations(violations, drafts, root))
  // No answer, a proxy's, or an unreadable one: the server may have done it all the same.
  const uncertain = hasCode(error, 'unreachable', 'unavailable', 'malformed')
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
  if (left.length === 0) return undefined
  // Problems without a field have a title of their own.
  const isAboutFields = problems.list.some(({ id }) => id !== undefined)
  return isAboutFields ? incomplete(left, problems.attempt) : problems
}

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
  root = ROOT,
): readonly Problem[] =>
  violations.map(({ propertyPath, message }) => {
    const found = findProperty(drafts, propertyPath, { id: root, label: '' })
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
