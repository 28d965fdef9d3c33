import type { Indexed } from '../../vocabulary/keys.ts'
import { shownDatabase } from '../address.ts'
import { classChanges, createChangeTally } from '../migration/changes.ts'
import { byPresentName, isAdopted, renamings, type StoredClass, toTakeOver } from '../migration/classes.ts'
import { type ClassShape, type Misfit, MOST_MISFITS, type Rehearsal } from '../store.ts'
import { numberArray, textArray } from './arrays.ts'
import { listClasses } from './classes.ts'
import { duplicatesIn } from './duplicates.ts'
import { createFindLinks, createFindTargets, type Fitting, fit } from './fitting.ts'
import { keyText } from './key-text.ts'
import { look, WORK_MS, withPool } from './opening.ts'
import { explainOpening } from './opening-errors.ts'
import type { Run, Transaction } from './pool.ts'
import { identify, requireKnownVersion } from './schema.ts'
import { tablesOf } from './tables.ts'

/** Whether there is something of Hydrant's. */
export async function isPostgresThere(url: string): Promise<boolean> {
  try {
    return await look(url, async (_, { isOurs }) => isOurs)
  } catch (error) {
    throw explainOpening(error, url)
  }
}

/**
 * Members that an API file would refuse, the first ten, or what it would change. Reads one state of the database and
 * changes nothing in it, nor holds up who serves it: what must be compared across members is collected in temporary
 * tables.
 */
export async function rehearsePostgres(url: string, shapes: readonly ClassShape[]): Promise<Rehearsal> {
  try {
    return await withPool(url, WORK_MS, ({ transaction }) =>
      transaction(async (within) => {
        await within.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
        const { isOurs, schema } = await identify(within.run, url)
        if (!isOurs) throw new Error(`There is no database of Hydrant's at ${shownDatabase(url)}.`)
        await requireKnownVersion(within.run, url, schema)
        return rehearseAll(within, shapes)
      }),
    )
  } catch (error) {
    throw explainOpening(error, url)
  }
}

async function rehearseAll(transaction: Transaction, shapes: readonly ClassShape[]): Promise<Rehearsal> {
  const { run } = transaction
  const stored = await listClasses(run)
  const renamed = renamings(stored, shapes)
  const changes = classChanges(stored, renamed, shapes)
  const names = new Map(renamed.map(({ from, to }) => [from, to]))
  const byName = byPresentName(stored, names)
  const findTargets = createFindTargets(run, (name) => membersOf(byName.get(name)))
  const misfits: Misfit[] = []
  for (const shape of shapes) {
    const found = byName.get(shape.name)
    const members = membersOf(found)
    if (found === undefined || members === undefined || isAdopted(found, shape)) continue
    const most = MOST_MISFITS - misfits.length
    const tally = createChangeTally(shape)
    const { keys, put } = await collectUnique(transaction, found, shape)
    const known = { findTargets, findLinks: createFindLinks(run, found.name, names) }
    const unfit = await fit(run, members, shape, known, most, async (fitting) => {
      for (const { adopted } of fitting) tally.count(adopted)
      await put(fitting)
    })
    misfits.push(...unfit, ...(await duplicatesIn(run, shape, keys, members, most - unfit.length)))
    if (misfits.length >= MOST_MISFITS) break
    changes.push(...tally.changes())
  }
  return misfits.length > 0
    ? { misfits, changes: [], takenOver: [] }
    : { misfits, changes, takenOver: toTakeOver(stored, shapes) }
}

const membersOf = (stored: StoredClass | undefined): string | undefined =>
  stored === undefined ? undefined : tablesOf(stored.id, []).members

/** A temporary table of the values that must be unique, and nothing else. */
async function collectUnique(
  { run, script }: Transaction,
  { id }: StoredClass,
  { keys: shapes }: ClassShape,
) {
  const unique = shapes.flatMap((shape, index) => (shape.unique ? [index] : []))
  const keys = `unique_${id}`
  const columns = ['sequence', ...unique.map((index) => `k${index}`)]
  if (unique.length > 0) {
    await script(`CREATE TEMPORARY TABLE ${keys} (
      ${['sequence bigint', ...unique.map((index) => `k${index} text COLLATE "C"`)].join(', ')}) ON COMMIT DROP`)
  }
  return { keys: `pg_temp.${keys}`, put: putInto(run, `pg_temp.${keys}`, columns, unique) }
}

function putInto(run: Run, keys: string, columns: readonly string[], unique: readonly number[]) {
  const types = columns.map((_, index) => `$${index + 1}::${index === 0 ? 'bigint' : 'text'}[]`)
  return async (fitting: readonly Fitting[]): Promise<void> => {
    if (unique.length === 0 || fitting.length === 0) return
    await run(`INSERT INTO ${keys} (${columns}) SELECT * FROM unnest(${types})`, [
      numberArray(fitting.map(({ row: [sequence] }) => sequence)),
      ...unique.map((index) =>
        textArray(
          fitting.map(({ adopted }) => {
            const value = adopted.keys.values[index] as Indexed | null
            return value === null ? null : keyText(value.key)
          }),
        ),
      ),
    ])
  }
}
