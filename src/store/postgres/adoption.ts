import { type ChangeTally, classChanges, createChangeTally } from '../migration/changes.ts'
import { areAdopted, isAdopted, type StoredClass, shapesText } from '../migration/classes.ts'
import { type AdoptionChange, type ClassShape, type Misfit, MisfitError, MOST_MISFITS } from '../store.ts'
import { listClasses } from './classes.ts'
import { duplicatesIn } from './duplicates.ts'
import { createFiller } from './filling.ts'
import { createFindLinks, createFindTargets, type FindTargets, fit } from './fitting.ts'
import { lockTables } from './locks.ts'
import type { Transaction } from './pool.ts'
import { moveClasses } from './renumbering.ts'
import { analyzeFilled } from './statistics.ts'
import { createIndexes, createTables, dropTables, type Tables, tablesOf } from './tables.ts'

export type OnAdopt = (className: string, total: number) => void

/**
 * Brings what is stored under the present API file: classes that are new or have another name, and members that were
 * written under another file. Within a transaction that holds the lock of the schema, and which a MisfitError must end.
 * Whoever serves the former file reads on until it ends; nobody writes meanwhile. Returns what that has changed.
 */
export async function adopt(
  transaction: Transaction,
  shapes: readonly ClassShape[],
  onAdopt: OnAdopt,
): Promise<AdoptionChange[]> {
  const { run, script } = transaction
  const former = await listClasses(run)
  if (concernsMembers(former, shapes)) await keepWritersOut(transaction, former)
  const before = await listClasses(run)
  const { renamed, formerTables, outdated } = await moveClasses(transaction, before, shapes)
  const changes = classChanges(before, renamed, shapes)
  const stored = new Map((await listClasses(run)).map((one) => [one.name, one]))
  /** Where the members of a class are until all are adopted; nowhere where it is new. */
  const sourceOf = (name: string): string | undefined => formerTables.get(stored.get(name)?.id ?? 0)
  const findTargets = createFindTargets(run, sourceOf)
  const misfits: Misfit[] = []
  for (const shape of shapes) {
    const found = stored.get(shape.name) as StoredClass
    if (isAdopted(found, shape) || misfits.length >= MOST_MISFITS) continue
    if (found.total > 0) onAdopt(shape.name, found.total)
    const tally = createChangeTally(shape)
    const most = MOST_MISFITS - misfits.length
    misfits.push(
      ...(await adoptClass(transaction, found, shape, sourceOf(shape.name), findTargets, tally, most)),
    )
    changes.push(...tally.changes())
  }
  if (misfits.length > 0) throw new MisfitError(misfits)
  if (outdated.length > 0) {
    const names = outdated.flatMap(({ members, values, words }) => [members, values, words])
    await script(lockTables(names, 'ACCESS EXCLUSIVE'))
    await script(outdated.map((tables) => `${dropTables(tables)} ${dropSequences(tables)}`).join('\n'))
  }
  return changes
}

/** There where the class is gone; elsewhere they have moved on. */
const dropSequences = ({ order, versions }: Tables): string =>
  `DROP SEQUENCE IF EXISTS ${order}, ${versions};`

/** Classes that are merely new concern nobody who is there. */
function concernsMembers(stored: readonly StoredClass[], shapes: readonly ClassShape[]): boolean {
  const names = new Set(stored.map(({ name }) => name))
  return !areAdopted(
    stored,
    shapes.filter(({ name, was }) => names.has(name) || (was !== undefined && names.has(was))),
  )
}

/** Also of classes that stay as they are: a member that another one links to must not go meanwhile. */
async function keepWritersOut({ script }: Transaction, stored: readonly StoredClass[]): Promise<void> {
  await script(
    lockTables(
      stored.map(({ id }) => tablesOf(id, []).members),
      'SHARE',
    ),
  )
}

async function adoptClass(
  { run, script }: Transaction,
  { id }: StoredClass,
  shape: ClassShape,
  source: string | undefined,
  findTargets: FindTargets,
  tally: ChangeTally,
  most: number,
): Promise<Misfit[]> {
  const tables = tablesOf(id, shape.keys)
  await script(createTables(tables))
  const misfits: Misfit[] = []
  if (source !== undefined) {
    const fill = await createFiller(run, shape.name, tables)
    const known = { findTargets, findLinks: createFindLinks(run, shape.name) }
    const unfit = await fit(run, source, shape, known, most, async (fitting) => {
      for (const { adopted } of fitting) tally.count(adopted)
      await fill(fitting)
    })
    misfits.push(...unfit)
    if (misfits.length >= most) return misfits
    misfits.push(...(await duplicatesIn(run, shape, tables.members, tables.members, most - misfits.length)))
  }
  // What follows would only be undone, or fail for the very reason that is to be told.
  if (misfits.length > 0) return misfits

  await script(createIndexes(tables))
  await script(analyzeFilled([tables.members, tables.values, tables.words, 'links']))
  await run('UPDATE classes SET fingerprint = $2, shapes = $3 WHERE id = $1', [
    id,
    shape.fingerprint,
    shapesText(shape),
  ])
  return misfits
}
