// What selections along paths mean, as plainly as it can be said: every member is looked at.

import { wordsOf } from '../../src/folding.ts'
import type { Filter, MemberValues, Order, PropertyFilter, Selection } from '../../src/members/index.ts'
import { compareKeys, indexedKey, type Key, type Literal } from '../../src/vocabulary/index.ts'
import { classNamed, type PathMember, propertyAt } from './path-selections.ts'

/** All books that match, in order. */
export function listBooks(all: readonly PathMember[], { filters, owner, order }: Selection): PathMember[] {
  const isListed = (one: PathMember) =>
    one.className === 'Book' &&
    (owner === undefined || one.owner === owner) &&
    filters.every((filter) => matches(all, one, one.values, filter))
  return all.filter(isListed).sort((one, other) => compare(all, order, one, other))
}

export const listAt = (values: MemberValues, name: string): readonly unknown[] => [values[name] ?? []].flat()

/** The values at a path below these. */
export const valuesAt = (values: MemberValues, path: readonly string[]): readonly unknown[] =>
  path.reduce<readonly unknown[]>(
    (found, name) => found.flatMap((one) => listAt(one as MemberValues, name)),
    [values],
  )

export const linked = (all: readonly PathMember[], path: unknown): PathMember | undefined =>
  all.find(({ className, id }) => className === 'Author' && `/authors/${id}` === path)

/** `within`: the member's values, or an embedded value at `prefix`. */
export function matches(
  all: readonly PathMember[],
  member: PathMember,
  within: MemberValues,
  filter: Filter,
  prefix = '',
): boolean {
  const pathOf = (property: string) => property.slice(prefix.length).split('.')
  switch (filter.test) {
    case 'any':
      return filter.filters.some((one) => matches(all, member, within, one, prefix))
    case 'owner':
      return member.owner === filter.owner
    case 'words': {
      const words = Object.values(member.values).flatMap((one) =>
        typeof one === 'string' ? wordsOf(one) : [],
      )
      return filter.words.every((word) => [word].flat().some((one) => words.includes(one)))
    }
    case 'some':
    case 'none': {
      const { step, filters } = filter
      const found = (): boolean => {
        if (step.kind === 'embedded')
          return valuesAt(within, pathOf(step.property)).some((one) =>
            filters.every((each) => matches(all, member, one as MemberValues, each, `${step.property}.`)),
          )
        const others =
          step.kind === 'link'
            ? valuesAt(within, pathOf(step.property)).flatMap((path) => linked(all, path) ?? [])
            : all.filter(
                ({ className, values }) =>
                  className === step.className &&
                  listAt(values, step.property).includes(`/authors/${member.id}`),
              )
        return others.some((one) => filters.every((each) => matches(all, one, one.values, each)))
      }
      return found() === (filter.test === 'some')
    }
    default: {
      const property = propertyAt(classNamed(member.className), filter.property)
      const keys = valuesAt(within, pathOf(filter.property)).map((one) =>
        indexedKey(property, one as Literal),
      )
      return filter.test === 'exists'
        ? keys.length > 0 === filter.exists
        : keys.some((key) => passes(key, filter))
    }
  }
}

function passes(key: Key, filter: PropertyFilter): boolean {
  if (filter.test === 'in') return filter.keys.includes(key)
  if (filter.test === 'range') return compareKeys(key, filter.from?.key as Key) >= 0
  throw new Error(`The model has no ${filter.test}.`)
}

/** The key that an order looks at, and the sequence number of the last target. */
function placeIn(
  all: readonly PathMember[],
  { property, through }: Order,
  member: PathMember,
): (Key | null)[] {
  let at: PathMember | undefined = member
  for (const step of through ?? []) {
    const target: PathMember | undefined = at && linked(all, at.values[step.property])
    at =
      target && step.filters.every((filter) => matches(all, target, target.values, filter))
        ? target
        : undefined
  }
  const [value] = at === undefined ? [] : valuesAt(at.values, property.split('.'))
  const key =
    value === undefined
      ? null
      : indexedKey(propertyAt(classNamed((at as PathMember).className), property), value as Literal)
  return through === undefined ? [key] : [key, key === null ? null : (at as PathMember).sequence]
}

function compare(
  all: readonly PathMember[],
  order: readonly Order[],
  one: PathMember,
  other: PathMember,
): number {
  for (const by of order) {
    const [left, right] = [placeIn(all, by, one), placeIn(all, by, other)]
    // With several orders, the next one ranks members with equal keys.
    for (const [index, key] of left.slice(0, order.length === 1 ? 2 : 1).entries()) {
      const found = compareKeysOf(key, right[index] ?? null, by.descending)
      if (found !== 0) return found
    }
  }
  return (one.sequence - other.sequence) * (order.at(-1)?.descending ? -1 : 1)
}

function compareKeysOf(one: Key | null, other: Key | null, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return compareKeys(one, other) * (descending ? -1 : 1)
}
