import { columnOf } from '../query/filters.ts'
import { inValues, type Source } from '../query/sources.ts'
import { and, join, type Sql, sql } from '../query/sql.ts'
import { behind, inOrder, type KeyStretch, stretchesOf } from '../query/stretches.ts'
import type { Bound, Filter as KeyFilter, Order, Position } from '../store.ts'
import { textArray } from './arrays.ts'
import type { Filter, TextSelection } from './selecting.ts'
import { fill } from './sql.ts'
import type { Tables } from './tables.ts'

export const inMembers = (tables: Tables, property: string): Source => ({
  ...byNumber(tables),
  key: `m.k${columnOf(tables, property).index}`,
})

/** All members. */
export const byNumber = ({ members }: Tables): Source => ({
  from: `${members} m`,
  sequence: 'm.sequence',
  key: 'NULL',
  fixed: [],
})

export const inWords = ({ words }: Tables, word: string): Source => ({
  from: `${words} w`,
  sequence: 'w.sequence',
  key: 'w.word',
  fixed: [sql('w.word = ?', word)],
})

/** A part of an index in which members stand in order; those of several keys are put in order when they are read. */
export type Stretch =
  | { readonly kind: 'all'; readonly beyond?: number }
  | { readonly kind: 'span'; readonly from?: Bound; readonly to?: Bound; readonly beyond?: Position }
  | { readonly kind: 'keys'; readonly keys: readonly string[]; readonly beyond?: number }
  | { readonly kind: 'none'; readonly beyond?: number }

export const isBackward = ({ start }: TextSelection): boolean => start.at === 'before'

/** Where the page begins, apart from an offset. */
export function positionOf({ start }: TextSelection): Position | undefined {
  return start.at === 'offset' || start.position === 'end' ? undefined : start.position
}

/** The stretches that an order walks through, each behind the one before. */
export function stretchesBy(
  selection: TextSelection,
  { descending }: Order,
  base: KeyFilter | undefined,
): Stretch[] {
  const backward = isBackward(selection)
  const all = inOrder(stretchesOf(base), descending, backward)
  const position = positionOf(selection)
  const left = position === undefined ? all : behind(all, position, descending !== backward, backward)
  return merged(left)
}

/** What an index has in one go: those equal to a position and what is beyond it; and keys without a position. */
function merged(stretches: readonly KeyStretch[]): Stretch[] {
  const found: Stretch[] = []
  for (const [index, stretch] of stretches.entries()) {
    const [before, last] = [stretches[index - 1], found.at(-1)]
    if (stretch.kind === 'none') found.push(stretch)
    else if (stretch.kind === 'key') {
      const key = String(stretch.key)
      if (last?.kind === 'keys' && last.beyond === undefined)
        found[found.length - 1] = { kind: 'keys', keys: [...last.keys, key] }
      else found.push({ ...stretch, kind: 'keys', keys: [key] })
    } else if (before?.kind === 'key' && before.beyond !== undefined)
      found[found.length - 1] = {
        ...spanOf(stretch),
        beyond: { keys: [before.key], sequence: before.beyond },
      }
    else found.push(spanOf(stretch))
  }
  return found
}

const spanOf = ({ from, to }: Extract<KeyStretch, { kind: 'span' }>): Extract<Stretch, { kind: 'span' }> => ({
  kind: 'span',
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
})

/** The filter whose members an index has in the order of creation, or nothing for all members. */
export function byCreation(
  tables: Tables,
  selection: TextSelection,
  base: Filter | undefined,
): { readonly source: Source; readonly stretches: readonly Stretch[] } {
  const position = positionOf(selection)
  const beyond = position === undefined ? {} : { beyond: position.sequence }
  if (base === undefined) return { source: byNumber(tables), stretches: [{ kind: 'all', ...beyond }] }
  if (base.test === 'words')
    return { source: inWords(tables, base.words[0] as string), stretches: [{ kind: 'all', ...beyond }] }
  const source =
    base.test === 'in' && columnOf(tables, base.property).shape.many
      ? inValues(tables, base.property)
      : inMembers(tables, base.property)
  if (base.test !== 'in') return { source, stretches: [{ kind: 'none', ...beyond }] }
  const keys = [...new Set(base.keys as string[])]
  return { source, stretches: keys.length === 0 ? [] : [{ kind: 'keys', keys, ...beyond }] }
}

const direction = (down: boolean): string => (down ? 'DESC' : 'ASC')

/**
 * The first so many rows of a stretch, as `o0` and `sequence`, in order; `down`: from the greatest to the least. Keys of
 * `keys` are looked up one by one, up to `most` rows each.
 */
export function rowsOf(source: Source, stretch: Stretch, down: boolean, most: number): Sql {
  const { from, sequence, key, fixed } = source
  const columns = `SELECT ${key} AS o0, ${sequence} AS sequence FROM ${from} WHERE `
  const tests = (...more: readonly Sql[]) => and([...fixed, ...more])
  const beyond = (number: number | undefined) =>
    number === undefined ? [] : [sql(`${sequence} ${down ? '<' : '>'} ?`, number)]
  const limit = sql('?::bigint', most)
  switch (stretch.kind) {
    case 'all':
      return fill(
        `${columns}$ ORDER BY ${sequence} ${direction(down)} LIMIT $`,
        tests(...beyond(stretch.beyond)),
        limit,
      )
    case 'none':
      // By the key too, which none has: it is the order of the index.
      return fill(
        `${columns}$ ORDER BY ${key} ${direction(down)}, ${sequence} ${direction(down)} LIMIT $`,
        tests(sql(`${key} IS NULL`), ...beyond(stretch.beyond)),
        limit,
      )
    case 'span':
      return fill(
        `${columns}$ ORDER BY ${key} ${direction(down)}, ${sequence} ${direction(down)} LIMIT $`,
        tests(...spanTests(source, stretch, down)),
        limit,
      )
    case 'keys': {
      const [first = '', ...further] = stretch.keys
      const one = (test: Sql) =>
        fill(
          `${columns}$ ORDER BY ${sequence} ${direction(down)} LIMIT $`,
          tests(test, ...beyond(stretch.beyond)),
          limit,
        )
      if (further.length === 0) return one(sql(`${key} = ?`, first))
      return fill(
        'SELECT p.o0, p.sequence FROM unnest($) u (key) CROSS JOIN LATERAL ($) p',
        sql('?::text[]', textArray(stretch.keys)),
        one(sql(`${key} = u.key`)),
      )
    }
  }
}

function spanTests(
  { key, sequence }: Source,
  span: Extract<Stretch, { kind: 'span' }>,
  down: boolean,
): Sql[] {
  const { from, to, beyond } = span
  const tests = [
    ...(from === undefined || (beyond !== undefined && !down)
      ? []
      : [sql(`${key} >${from.inclusive ? '=' : ''} ?`, from.key)]),
    ...(to === undefined || (beyond !== undefined && down)
      ? []
      : [sql(`${key} <${to.inclusive ? '=' : ''} ?`, to.key)]),
    ...(beyond === undefined
      ? []
      : [sql(`(${key}, ${sequence}) ${down ? '<' : '>'} (?, ?)`, beyond.keys[0] ?? null, beyond.sequence)]),
  ]
  return tests.length === 0 ? [sql(`${key} IS NOT NULL`)] : tests
}

/** Whether rows of the stretch come in order as they are. */
export const isOrdered = (stretch: Stretch): boolean => stretch.kind !== 'keys' || stretch.keys.length === 1

/** Of stretches one behind the other, the rows from `skip` on, as `part`, `o0` and `sequence`. */
export function walk(
  source: Source,
  stretches: readonly Stretch[],
  down: boolean,
  isByKey: boolean,
  skip: number,
  take: number,
): Sql {
  const [only, ...further] = stretches
  if (only === undefined)
    return sql('SELECT 0 AS part, NULL::text AS o0, NULL::bigint AS sequence WHERE false')
  const rows = (stretch: Stretch, part: number) =>
    fill(`(SELECT ${part} AS part, r.o0, r.sequence FROM ($) r)`, rowsOf(source, stretch, down, skip + take))
  const page = sql('LIMIT ?::bigint OFFSET ?::bigint', take, skip)
  if (further.length === 0 && isOrdered(only)) return fill('SELECT * FROM ($) u $', rows(only, 0), page)
  const all = join(stretches.map(rows), ' UNION ALL ')
  // Of many values, a member may have several of the keys.
  if (!isByKey)
    return fill(
      `SELECT DISTINCT 0 AS part, NULL::text AS o0, u.sequence FROM ($) u ORDER BY sequence ${direction(down)} $`,
      all,
      page,
    )
  return fill(`SELECT * FROM ($) u ORDER BY ${orderOf(down)} $`, all, page)
}

/** Of what `walk` gives. */
export const orderOf = (down: boolean): string =>
  `part, o0 ${direction(down)} NULLS LAST, sequence ${direction(down)}`
