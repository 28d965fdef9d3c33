import { isAdopted, type Renaming, renamings, type StoredClass } from '../migration/classes.ts'
import type { ClassShape } from '../store.ts'
import { listClasses } from './classes.ts'
import type { Run, Transaction } from './pool.ts'
import { createSequences, type Tables, tablesOf } from './tables.ts'

export interface Moved {
  readonly renamed: readonly Renaming[]
  /** By the number of a class, the table that has its members until they are adopted; none for a class that is new. */
  readonly formerTables: ReadonlyMap<number, string>
  /** Those that nobody needs once the members are adopted. */
  readonly outdated: readonly Tables[]
}

/** Gives classes the names and numbers under which the API file will have them; their members stay where they are. */
export async function moveClasses(
  { run, script }: Transaction,
  before: readonly StoredClass[],
  shapes: readonly ClassShape[],
): Promise<Moved> {
  const renamed = renamings(before, shapes)
  const outdated: Tables[] = []
  for (const renaming of renamed) outdated.push(...(await rename(run, renaming)))
  const formerTables = new Map<number, string>()
  for (const one of await listClasses(run)) {
    const shape = shapes.find(({ name }) => name === one.name)
    const former = tablesOf(one.id, [])
    const id = shape === undefined || isAdopted(one, shape) ? one.id : await renumber(run, script, former)
    if (id !== one.id) outdated.push(former)
    formerTables.set(id, former.members)
  }
  await addClasses(run, script, shapes)
  return { renamed, formerTables, outdated }
}

/** The name may be that of a class without members, which goes: its versions must not be given out again. */
async function rename(run: Run, { from, to }: Renaming): Promise<Tables[]> {
  const [[kept] = []] = await run<[number]>('SELECT id FROM classes WHERE name = $1', [from])
  const [[gone] = []] = await run<[number]>('SELECT id FROM classes WHERE name = $1', [to])
  if (kept !== undefined && gone !== undefined) {
    const [own, others] = [tablesOf(kept, []).versions, tablesOf(gone, []).versions]
    await run(`SELECT setval('${own}', greatest(own.last_value, others.last_value))
      FROM ${own} AS own, ${others} AS others`)
    await run('DELETE FROM classes WHERE id = $1', [gone])
  }
  await run('UPDATE classes SET name = $1 WHERE name = $2', [to, from])
  await run('UPDATE links SET from_class = $1 WHERE from_class = $2', [to, from])
  await run('UPDATE links SET to_class = $1 WHERE to_class = $2', [to, from])
  return gone === undefined ? [] : [tablesOf(gone, [])]
}

/**
 * A class whose members will be stored in another way gets another number, and tables of that number: a process that
 * was started with the former API file finds its own no more, and can neither misread them nor write among them. The
 * sequences go along, so that no version and no place in the order of creation is given out again.
 */
async function renumber(run: Run, script: Transaction['script'], former: Tables): Promise<number> {
  const tables = tablesOf(await nextNumber(run), [])
  await script(`ALTER SEQUENCE ${former.order} RENAME TO ${tables.order};
    ALTER SEQUENCE ${former.versions} RENAME TO ${tables.versions}`)
  await run('UPDATE classes SET id = $1 WHERE id = $2', [tables.classId, former.classId])
  return tables.classId
}

async function addClasses(
  run: Run,
  script: Transaction['script'],
  shapes: readonly ClassShape[],
): Promise<void> {
  const known = new Set((await listClasses(run)).map(({ name }) => name))
  for (const { name } of shapes) {
    if (known.has(name)) continue
    const tables = tablesOf(await nextNumber(run), [])
    await run("INSERT INTO classes (id, name, fingerprint, shapes) VALUES ($1, $2, 0, '')", [
      tables.classId,
      name,
    ])
    await script(createSequences(tables))
  }
}

/** Never one that a class had before. */
async function nextNumber(run: Run): Promise<number> {
  const [row] = await run<[string]>(`
    INSERT INTO settings VALUES ('class_number', (SELECT coalesce(max(id), 0) + 1 FROM classes)::text)
    ON CONFLICT (name) DO UPDATE SET value = (settings.value::bigint + 1)::text RETURNING value`)
  return Number(row?.[0])
}
