import type { ClassDescription, Documentation, PropertyDescription } from 'hydrant-client'
import {
  embeddedClass,
  isObject,
  isSame,
  keysOf,
  type ValuesByName,
  valueIn,
} from '../../../shared/values.ts'
import { draftOf, eachOnce, type PropertyDraft } from './draft.ts'

/** The changes as a merge patch (RFC 7396), in which null removes a value. */
export function changesOf(
  drafts: readonly PropertyDraft[],
  before: ValuesByName,
  after: ValuesByName,
  documentation: Documentation,
): ValuesByName {
  const properties = drafts.map(({ property }) => property)
  const names = properties.map(({ name }) => name)
  return patchOf(names, before, acceptable(properties, after, before, documentation))
}

function patchOf(names: readonly string[], before: ValuesByName, after: ValuesByName): ValuesByName {
  const entries = names.flatMap((name) => {
    const [was, is] = [valueIn(before, name), valueIn(after, name)]
    if (isSame(was, is)) return []
    return [[name, isObject(was) && isObject(is) ? patchOf(keysOf(was, is), was, is) : (is ?? null)]]
  })
  return Object.fromEntries(entries)
}

/** Read-only values are sent as they are now, or not at all: the server refuses others (hypermedia.md, Writing). */
function acceptable(
  properties: readonly PropertyDescription[],
  values: ValuesByName,
  former: ValuesByName,
  documentation: Documentation,
): ValuesByName {
  const sent = properties.map((property) => {
    const { name, isLink, writable } = property
    const [is, was] = [valueIn(values, name), valueIn(former, name)]
    const cls = isLink ? undefined : embeddedClass(property, documentation)
    if (!writable || !cls) return [name, writable ? is : was]
    const within = (one: unknown, before: unknown) =>
      isObject(one) ? acceptable(eachOnce(cls), one, isObject(before) ? before : {}, documentation) : one
    if (!Array.isArray(is)) return [name, within(is, was)]
    const formers = formersOf(is, [was].flat(), cls)
    return [name, is.map((one, index) => within(one, formers[index]))]
  })
  const entries = Object.entries({ ...values, ...Object.fromEntries(sent) })
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined))
}

/** Matches the values of a list as the server does: to an equal one, else to one with the same read-only parts. */
function formersOf(values: readonly unknown[], former: readonly unknown[], cls: ClassDescription): unknown[] {
  const left = [...former]
  const take = (value: unknown, part: (one: unknown) => unknown) => {
    const index = left.findIndex((one) => isSame(part(one), part(value)))
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const readOnly = eachOnce(cls).filter(({ writable }) => !writable)
  const readOnlyIn = (one: unknown) => readOnly.map(({ name }) => isObject(one) && valueIn(one, name))
  const equal = values.map((value) => take(value, (one) => one))
  return values.map((value, index) => equal[index] ?? take(value, readOnlyIn))
}

export type Side = 'mine' | 'theirs'

export interface Difference {
  readonly property: PropertyDescription
  readonly seen: unknown
  readonly current: unknown
  readonly mine: unknown
  readonly changedBy: Side | 'both'
}

/** The differences between both sides. If both made the same change, there is none. */
export function compare(
  drafts: readonly PropertyDraft[],
  seen: ValuesByName,
  current: ValuesByName,
  mine: ValuesByName,
): readonly Difference[] {
  return drafts.flatMap(({ property }) => {
    const [was, is, wanted] = [seen, current, mine].map((values) => valueIn(values, property.name))
    if (isSame(is, wanted)) return []
    const changedBy = isSame(was, is) ? 'mine' : isSame(was, wanted) ? 'theirs' : 'both'
    return [{ property, seen: was, current: is, mine: wanted, changedBy }]
  })
}

/** A change by one side is kept; if both changed a value, the user decides. */
export const proposedSide = ({ changedBy }: Difference): Side | undefined =>
  changedBy === 'both' ? undefined : changedBy

export function mergedDrafts(
  drafts: readonly PropertyDraft[],
  current: ValuesByName,
  isMine: (property: PropertyDescription) => boolean,
  documentation: Documentation,
): readonly PropertyDraft[] {
  return drafts.map(({ property, draft }) => ({
    property,
    draft: isMine(property) ? draft : draftOf(property, valueIn(current, property.name), documentation),
  }))
}
