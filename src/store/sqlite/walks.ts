import { columnOf } from '../query/filters.ts'
import { inValues, type Source } from '../query/sources.ts'
import { and, join, type Sql, sql } from '../query/sql.ts'
import { behind, inOrder, type Stretch, stretchesOf } from '../query/stretches.ts'
import type { Filter as KeyFilter, Order, Position, Selection } from '../store.ts'
import type { Guard } from './meter.ts'
import { type Filter, othersThan, placingOf, predicate } from './predicates.ts'
import { byNumber, inKeys, inLeastValues, inWords, within } from './sources.ts'
import type { Tables } from './tables.ts'

/** A query for members by their `sequence`, and by `o0`, `o1` …: the keys that place each in the order. */
export interface Walk {
  readonly select: Sql
  /** Undefined where it does not matter. */
  readonly orderBy: string | undefined
}

/** So many walks are merged into one. */
export const MOST_MERGED = 100

export const isBackward = ({ start }: Selection): boolean => start.at === 'before'

/** Where the page begins, apart from an offset. */
export function positionOf({ start }: Selection): Position | undefined {
  return start.at === 'offset' || start.position === 'end' ? undefined : start.position
}

/**
 * Walks of an index in the order of the selection, to be made one after the other. `base`: the filter that says which
 * part of the index; the others are asked of each row. `whole`: from the beginning, for counting.
 */
export function walksOf(
  tables: Tables,
  selection: Selection,
  base: Filter | undefined,
  guard: Guard,
  whole: boolean,
): Walk[] {
  const asked = othersThan(base, selection).map((filter) => predicate(tables, filter))
  const position = whole ? undefined : positionOf(selection)
  const [order] = selection.order
  // Counted in the order of creation: each member comes once then, however many of the values it has.
  return order === undefined || (whole && base?.test === 'in' && base.keys.length <= MOST_MERGED)
    ? byCreation(tables, selection, base, asked, guard, position)
    : byKey(tables, selection, order, base as KeyFilter | undefined, asked, guard, position)
}

function byKey(
  tables: Tables,
  selection: Selection,
  { property, descending }: Order,
  base: KeyFilter | undefined,
  asked: readonly Sql[],
  guard: Guard,
  position: Position | undefined,
): Walk[] {
  const backward = isBackward(selection)
  const down = descending !== backward
  const placing = placingOf(tables, selection, property)
  const source = placing === undefined ? inKeys(tables, property) : inLeastValues(tables, placing)
  const all = inOrder(stretchesOf(base), descending, backward)
  const stretches = position === undefined ? all : behind(all, position, down, backward)
  return stretches.map((stretch) => ({
    select: select(tables, source, stretch, down, asked, guard, true),
    orderBy: `${stretch.kind === 'span' ? `o0 ${direction(down)}, ` : ''}sequence ${direction(down)}`,
  }))
}

function byCreation(
  tables: Tables,
  selection: Selection,
  base: Filter | undefined,
  asked: readonly Sql[],
  guard: Guard,
  position: Position | undefined,
): Walk[] {
  const down = isBackward(selection)
  const beyond = position === undefined ? {} : { beyond: position.sequence }
  const orderBy = `sequence ${direction(down)}`
  const walk = (source: Source, stretch: Stretch): Sql =>
    select(tables, source, { ...stretch, ...beyond }, down, asked, guard, false)

  if (base === undefined) return [{ select: walk(byNumber(tables), { kind: 'all' }), orderBy }]
  if (base.test === 'words') return [{ select: walk(inWords(tables, base.words), { kind: 'all' }), orderBy }]
  const { many } = columnOf(tables, base.property).shape
  const source = many && base.test === 'in' ? inValues(tables, base.property) : inKeys(tables, base.property)
  const parts = stretchesOf(base).map((stretch) => walk(source, stretch))
  // SQLite merges them as they come: each is in order already. One member may have several of many values.
  return parts.length === 0 ? [] : [{ select: join(parts, many ? ' UNION ' : ' UNION ALL '), orderBy }]
}

const direction = (down: boolean): string => (down ? 'DESC' : 'ASC')

function select(
  tables: Tables,
  source: Source,
  stretch: Stretch,
  down: boolean,
  asked: readonly Sql[],
  guard: Guard,
  withKey: boolean,
): Sql {
  const { from, sequence, key, fixed } = source
  const hasKeys = from === byNumber(tables).from
  const row = asked.length > 0 && !hasKeys ? ` CROSS JOIN ${tables.keys} k ON k.sequence = ${sequence}` : ''
  const where = and([sql(guard(sequence)), ...within(source, stretch, down), ...fixed, ...asked])
  const columns = `${sequence} AS sequence${withKey ? `, ${key} AS o0` : ''}`
  return sql(`SELECT ${columns} FROM ${from}${row} WHERE ${where.text}`, ...where.params)
}
