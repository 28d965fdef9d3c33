// The totals of a class, of its owners, and of the accounts that its members link to: counters, which every write updates.
import { arrayOf, columnArrays } from '../../database/postgres/arrays.ts'
import type { RunSql } from '../../database/postgres/connection.ts'
import type { Indexed } from '../../vocabulary/index-keys.ts'
import type { KeySlot } from '../layout.ts'
import { columnOf, fill, type QueryTables, type Sql, sql } from '../query/dialect.ts'
import { accountIn, type StoredQuery } from '../query/filters.ts'
import type { FollowedSides, LinkKey } from './changes/followed.ts'
import type { MemberOfClass } from './class-statements.ts'
import { keyOf, type PostgresTables } from './tables.ts'

/** How many writers can add to a total without waiting for each other's commit. */
const SLOTS = 32
const SLOT = `pg_backend_pid() % ${SLOTS}`

/**
 * Tables of a WITH that add to the totals of a class and of its owners, in the slot of this connection. `more`: a query
 * with the columns `owner` and `more`. All writers lock owners in one order, so that none deadlock.
 */
export const countTables = (classId: number | string, more: string): string => `
  change AS MATERIALIZED (${more}),
  counted AS (
    INSERT INTO totals (class_id, slot, total)
    SELECT ${classId}, ${SLOT}, sum(more) FROM change HAVING count(*) > 0
    ON CONFLICT (class_id, slot) DO UPDATE SET total = totals.total + excluded.total
  ),
  counted_by_owner AS (
    INSERT INTO owner_totals (class_id, owner, slot, total)
    SELECT ${classId}, owner, ${SLOT}, more FROM change WHERE owner IS NOT NULL ORDER BY owner
    ON CONFLICT (class_id, owner, slot) DO UPDATE SET total = owner_totals.total + excluded.total
  )`

/** Without those of a slot that was added to stored members, which a trigger counts: not every host knows the slot. */
const accountKeys = (shapes: readonly KeySlot[], isRemoval = false): readonly LinkKey[] =>
  shapes.flatMap(({ isToAccounts, isCountedByTrigger, isForeign, many }, index) =>
    isToAccounts && !isCountedByTrigger && (!isForeign || isRemoval) ? [{ index, many }] : [],
  )

/**
 * Tables of a WITH that add to the totals of accounts; false for a class without links to accounts. `sides`: what members
 * link to before the write and after it. `done`: a table with the places of the members that were written.
 */
export function countLinkedTables(
  { classId, shapes }: PostgresTables,
  { before, after }: FollowedSides,
  done: string,
): string | false {
  // A removal takes the links along that other API files know.
  const keys = accountKeys(shapes, after === undefined)
  if (keys.length === 0) return false
  const linked = (ids: (key: LinkKey) => string, more: 1 | -1) =>
    keys.map(
      (key) => `SELECT DISTINCT ${key.index} AS property, linked.id AS account, place, ${more} AS more
        FROM (${ids(key)}) AS linked JOIN ${done} AS done USING (place)`,
    )
  const all = [...(before ? linked(before, -1) : []), ...(after ? linked(after, 1) : [])]
  return countLinked(classId, all.join(' UNION ALL '))
}

/** A link that stays is not counted. All writers lock accounts in one order, so that none deadlock. */
const countLinked = (classId: number | string, linked: string): string => `
  counted_by_account AS (
    INSERT INTO account_totals (class_id, property, account, slot, total)
    SELECT ${classId}, property, account, ${SLOT}, sum(more) FROM (${linked}) AS linked
    GROUP BY property, account HAVING sum(more) <> 0 ORDER BY property, account
    ON CONFLICT (class_id, property, account, slot) DO UPDATE SET total = account_totals.total + excluded.total
  )`

/**
 * Counts the accounts that a slot links to, whichever host writes: one that does not know the slot removes members, too. Rows
 * are locked in the order of writes, so two batches may deadlock, which both retry.
 */
export function countByTrigger(classId: number, { many }: KeySlot, index: number): string {
  const name = `count_${classId}_${index}`
  const [table, column] = many ? [`values_${classId}`, 'key'] : [`forms_${classId}`, `k${index}`]
  const add = (row: 'OLD' | 'NEW', more: string) => `
    IF ${row}.${column} IS NOT NULL ${many ? `AND ${row}.property = ${index}` : ''} THEN
      INSERT INTO account_totals (class_id, property, account, slot, total)
      VALUES (${classId}, ${index}, substr(${row}.${column}, 2), ${SLOT}, ${more})
      ON CONFLICT (class_id, property, account, slot) DO UPDATE SET total = account_totals.total + excluded.total;
    END IF;`
  return `
    CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN ${add('OLD', '-1')} END IF;
      IF TG_OP <> 'DELETE' THEN ${add('NEW', '1')} END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${name} AFTER INSERT OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}();
    CREATE TRIGGER ${name}_changed AFTER UPDATE OF ${column} ON ${table} FOR EACH ROW
      WHEN (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION ${name}();`
}

/** For members that were added without being counted. */
export async function addToTotals(run: RunSql, added: readonly MemberOfClass[]): Promise<void> {
  const byClass = Map.groupBy(added, ({ cls }) => cls.tables)
  const owners = 'SELECT owner, count(*) AS more FROM unnest($2::bigint[]) AS owner GROUP BY owner'
  const linked =
    'SELECT property, account, 1 AS more FROM unnest($3::int[], $4::text[]) AS one (property, account)'
  for (const [{ classId, shapes }, ofClass] of [...byClass].sort(
    ([one], [other]) => one.classId - other.classId,
  )) {
    const keys = accountKeys(shapes)
    const tables = [
      countTables('$1::int', owners),
      ...(keys.length > 0 ? [countLinked('$1::int', linked)] : []),
    ]
    const params = [classId, arrayOf(ofClass.map(({ member }) => member.owner ?? null))]
    const links = ofClass.flatMap(({ member }) =>
      keys.flatMap(({ index }) => {
        const found = [member.keys.values[index] ?? []].flat() as readonly Indexed[]
        return [...new Set(found.map(({ key }) => String(key)))].map((account) => ({
          property: index,
          account,
        }))
      }),
    )
    const columns = keys.length > 0 ? columnArrays(links, 'property', 'account') : []
    await run(`WITH ${tables.join(', ')} SELECT 1`, [...params, ...columns])
  }
}

/** Writes all totals of a class; no other process may write meanwhile. */
export const countMembers = ({ members, values, classId, shapes }: PostgresTables): string => `
  INSERT INTO totals (class_id, slot, total) SELECT ${classId}, 0, count(*) FROM ${members};
  INSERT INTO owner_totals (class_id, owner, slot, total)
    SELECT ${classId}, owner, 0, count(*) FROM ${members} WHERE owner IS NOT NULL GROUP BY owner;
  ${accountKeys(shapes)
    .map(
      ({ index, many }) => `INSERT INTO account_totals (class_id, property, account, slot, total)
        SELECT ${classId}, ${index}, substr(key, 2), 0, count(*) FROM ${
          many
            ? `${values} WHERE property = ${index}`
            : `(SELECT k${index} AS key FROM ${members}) AS one WHERE key IS NOT NULL`
        } GROUP BY key;`,
    )
    .join('\n')}
`

/** How many members there are, are of one owner, or link to an account, as a table of one row. */
export function totalOf(tables: QueryTables, query: Pick<StoredQuery, 'owner' | 'filters'>): Sql {
  const { classId } = tables
  const { owner } = query
  const account = accountIn(query)
  const rows = () => {
    if (account !== undefined)
      return sql(
        `account_totals WHERE class_id = ${classId} AND property = ${columnOf({ tables }, account.property).index}
          AND account = ?`,
        String(keyOf(account.account)),
      )
    return owner === undefined
      ? sql(`totals WHERE class_id = ${classId}`)
      : sql(`owner_totals WHERE class_id = ${classId} AND owner = ?`, owner)
  }
  return fill('(SELECT coalesce(sum(total), 0)::bigint AS total FROM $)', rows())
}
