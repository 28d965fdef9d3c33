import { fold, wordsOf } from '../../src/folding.ts'
import {
  type Bound,
  type Bounds,
  isOnProperty,
  type Order,
  type Position,
  type PropertyFilter,
  type Selection,
} from '../../src/members/index.ts'
import { indexed, type Key } from '../../src/vocabulary/index.ts'
import { formOf, type Kind, type Values } from '../support/shapes.ts'
import { KINDS, thingOf } from './random-selections.ts'

/** A store as plainly as it can be said: every member is looked at, whole texts are compared, all are sorted. */
export interface ModelMember {
  readonly id: string
  readonly sequence: number
  readonly owner: number | undefined
  readonly values: Values
}

/** All that match, in order. */
export const listAll = (members: readonly ModelMember[], selection: Selection): ModelMember[] =>
  members
    .filter((member) => matches(member, selection))
    .sort((left, right) => compare(selection, placeOf(left, selection), placeOf(right, selection)))

/** Of those, the ones behind a position, or before it. */
export function listFrom(
  members: readonly ModelMember[],
  selection: Selection,
  position: Position,
  side: 1 | -1,
): ModelMember[] {
  return listAll(members, selection).filter(
    (member) => compare(selection, placeOf(member, selection), position) * side > 0,
  )
}

/** Of those, as many from one end as a page shows: `side` is 1 for the first ones, -1 for the last ones. */
export function shownOf(
  listed: readonly ModelMember[],
  { limit, byteBudget }: Selection,
  side: 1 | -1 = 1,
): ModelMember[] {
  const shown: ModelMember[] = []
  let bytes = 0
  for (const member of side === 1 ? listed : listed.toReversed()) {
    const { body, baseUrlOffsets } = thingOf(member.id, member.values)
    bytes +=
      Buffer.byteLength(body) +
      byteBudget.link * baseUrlOffsets.split(',').filter((offset) => offset !== '').length
    if (shown.length === limit || (bytes > byteBudget.bytes && shown.length > 0)) break
    shown.push(member)
  }
  return side === 1 ? shown : shown.toReversed()
}

const valuesOf = ({ values }: ModelMember, property: string): readonly Key[] =>
  [values[property] ?? []].flat()

function matches(member: ModelMember, { owner, filters, words }: Selection): boolean {
  if (owner !== undefined && member.owner !== owner) return false
  const texts = Object.keys(KINDS).filter(isText)
  const known = texts
    .flatMap((property) => valuesOf(member, property))
    .flatMap((text) => wordsOf(String(text)))
  const isKnown = (word: string) =>
    word.endsWith('*') ? known.some((one) => one.startsWith(word.slice(0, -1))) : known.includes(word)
  return (
    filters.every((one) => isOnProperty(one) && passes(member, one)) &&
    words.every((word) => [word].flat().some(isKnown))
  )
}

function passes(member: ModelMember, filter: PropertyFilter): boolean {
  const values = valuesOf(member, filter.property)
  if (filter.test === 'exists') return values.length > 0 === filter.exists
  return values.some((value) => passesKey(value, filter))
}

const isText = (property: string): boolean => formOf(KINDS[property] as Kind) === 'text'

/** What ranges compare. */
const comparedAs = (key: Key, property: string): Key => (isText(property) ? fold(String(key)) : key)

function passesKey(value: Key, filter: PropertyFilter): boolean {
  switch (filter.test) {
    case 'in':
      return filter.keys.includes(value)
    case 'range':
      return isWithin(filter.property, value, filter)
    case 'spans':
      return filter.spans.some((span) => isWithin(filter.property, value, span))
    case 'not':
      return value !== filter.key
    case 'contains':
      return fold(String(value)).includes(filter.text)
    case 'exists':
      return filter.exists
  }
}

function isWithin(property: string, value: Key, { from, to }: Bounds): boolean {
  const compared = ({ key }: Bound) => compareKeys(comparedAs(value, property), comparedAs(key, property))
  const isAbove = from === undefined || compared(from) > (from.inclusive ? -1 : 0)
  return isAbove && (to === undefined || compared(to) < (to.inclusive ? 1 : 0))
}

export function placeOf(member: ModelMember, { order, filters }: Selection): Position {
  const keys = order.map(({ property }) => {
    const sortFilter = filters
      .filter(isOnProperty)
      .find(({ property: other, test }) => other === property && ['in', 'range', 'spans'].includes(test))
    const matching = valuesOf(member, property).filter(
      (key) => sortFilter === undefined || passesKey(key, sortFilter),
    )
    const form = formOf(KINDS[property] as Kind)
    return matching.map((key) => indexed(key, form).key).toSorted(compareKeys)[0] ?? null
  })
  return { keys, sequence: member.sequence }
}

function compare({ order }: Selection, left: Position, right: Position): number {
  for (const [index, one] of order.entries()) {
    const found = compareInOrder(one, left.keys[index] ?? null, right.keys[index] ?? null)
    if (found !== 0) return found
  }
  return (left.sequence - right.sequence) * (order.at(-1)?.descending ? -1 : 1)
}

function compareInOrder({ descending }: Order, left: Key | null, right: Key | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return compareKeys(left, right) * (descending ? -1 : 1)
}

/** By size, or by code point. */
function compareKeys(left: Key, right: Key): number {
  if (typeof left === 'number' && typeof right === 'number') return Math.sign(left - right)
  const [ours, theirs] = [Array.from(String(left)), Array.from(String(right))]
  const index = ours.findIndex((character, at) => character !== theirs[at])
  if (index === -1) return Math.sign(ours.length - theirs.length)
  return Math.sign((ours[index]?.codePointAt(0) ?? 0) - (theirs[index]?.codePointAt(0) ?? -1))
}
