import type { Indexed, Key } from '../../vocabulary/index-keys.ts'
import type { Keys } from '../../vocabulary/keys.ts'
import type { AddOutcome, Link, NewMember } from '../member.ts'

/** A member of bulk data, and its class. */
export interface BulkMember {
  readonly className: string
  readonly member: NewMember
}

/**
 * Bulk data on its way to the write thread: a column for each field. A message of objects takes several times as long
 * to be received, because it repeats all names for each of them.
 */
export interface BulkColumns {
  readonly className: string[]
  readonly id: string[]
  readonly body: string[]
  readonly baseUrlOffsets: string[]
  readonly hidden: string[]
  readonly owner: (number | undefined)[]
  readonly actor: (number | undefined)[]
  /** Undefined for none. */
  readonly links: (readonly Link[] | undefined)[]
  /** For each shape, a key and its whole text, or null twice; the list of a property with many values, and null. */
  readonly values: (readonly KeyCell[])[]
  /** Separated by spaces, which no word has. */
  readonly words: string[]
}

type KeyCell = Key | null | readonly Indexed[]

const isList = (value: Keys['values'][number]): value is readonly Indexed[] => Array.isArray(value)

export function toColumns(members: readonly BulkMember[]): BulkColumns {
  const all = members.map(({ member }) => member)
  return {
    className: members.map(({ className }) => className),
    id: all.map(({ id }) => id),
    body: all.map(({ body }) => body),
    baseUrlOffsets: all.map(({ baseUrlOffsets }) => baseUrlOffsets),
    hidden: all.map(({ hidden }) => hidden),
    owner: all.map(({ owner }) => owner),
    actor: all.map(({ actor }) => actor),
    links: all.map(({ links }) => (links.length === 0 ? undefined : links)),
    values: all.map(({ keys }) => toCells(keys)),
    words: all.map(({ keys }) => keys.words.join(' ')),
  }
}

function toCells({ values }: Keys): KeyCell[] {
  const cells: KeyCell[] = []
  for (const value of values)
    if (value === null) cells.push(null, null)
    else if (isList(value)) cells.push(value, null)
    else cells.push(value.key, value.whole)
  return cells
}

const NO_LINKS: readonly Link[] = []

export function* fromColumns(columns: BulkColumns): Generator<BulkMember> {
  const { className, id, body, baseUrlOffsets, hidden, owner, actor, links, values, words } = columns
  for (const [index, name] of className.entries())
    yield {
      className: name,
      member: {
        id: id[index] as string,
        body: body[index] as string,
        baseUrlOffsets: baseUrlOffsets[index] as string,
        hidden: hidden[index] as string,
        owner: owner[index],
        actor: actor[index],
        links: links[index] ?? NO_LINKS,
        keys: {
          values: fromCells(values[index] as readonly KeyCell[]),
          // All words as one: the index of words gets them as one text anyway.
          words: words[index] === '' ? [] : [words[index] as string],
        },
      },
    }
}

function fromCells(cells: readonly KeyCell[]): Keys['values'] {
  const values: Keys['values'][number][] = []
  for (let at = 0; at < cells.length; at += 2) {
    const cell = cells[at] as KeyCell
    if (cell === null || typeof cell === 'object') values.push(cell)
    else values.push({ key: cell, whole: cells[at + 1] as string | null })
  }
  return values
}

/** The outcomes on their way back: the version alone for a member that was added. */
export type BulkOutcome = number | Exclude<AddOutcome, { readonly outcome: 'added' }>

export const toOutcome = (one: BulkOutcome): AddOutcome =>
  typeof one === 'number' ? { outcome: 'added', version: one } : one

export const fromOutcome = (one: AddOutcome): BulkOutcome => (one.outcome === 'added' ? one.version : one)
