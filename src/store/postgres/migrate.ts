import { type Duplicate, duplicatesText } from '../migration/incompatible.ts'
import type {
  ConvertedMember,
  FinishedClass,
  MemberLink,
  MemberRow,
  MigratedClass,
  MigrationStatements,
} from '../migration/migrate.ts'
import { type MigrationPlan, type StoredClass, shapesText } from '../migration/plan.ts'
import { numberArray, textArray } from './arrays.ts'
import { goOn, readClasses } from './contents.ts'
import { keyRow, VALUE_COLUMNS, valueArrays, valueRows, wordRows } from './key-rows.ts'
import { lockTables } from './locks.ts'
import type { Run, Transaction } from './pool.ts'
import { analyzeFilled } from './statistics.ts'
import {
  createIndexes,
  createSequences,
  createTables,
  dropTables,
  keyColumns,
  type Tables,
  tablesOf,
} from './tables.ts'

/** So many members are in memory at once, or so many bytes of them. */
const BATCH = 1_000
const BATCH_BYTES = 8 * 1_024 * 1_024

/** `version` is 0 here: a sequence gives them out, and only a migration needs to know where it is. */
export async function listClasses(run: Run): Promise<StoredClass[]> {
  const rows = await run<[id: number, name: string, fingerprint: number, shapes: string, total: number]>(`
    SELECT id, name, fingerprint, shapes,
      (SELECT coalesce(sum(total), 0)::bigint FROM totals WHERE class_id = classes.id)
    FROM classes ORDER BY id`)
  return rows.map(([id, name, fingerprint, shapes, total]) => ({
    id,
    name,
    fingerprint,
    shapes,
    total,
    version: 0,
  }))
}

/** Members are written into new tables; a process that serves the former file reads on until the transaction ends. */
export function createMigrationStatements(transaction: Transaction, isDryRun: boolean): MigrationStatements {
  const { run, script } = transaction
  /** The sequences keep their former names until the end. */
  const newTables = ({ number, shape, former }: MigratedClass): Tables => {
    const { members, values, words, ...tables } = tablesOf(number, shape.keys)
    const place = isDryRun ? 'pg_temp.' : ''
    const { order, versions } = tablesOf(former.id, [])
    return {
      ...tables,
      members: place + members,
      values: place + values,
      words: place + words,
      order,
      versions,
    }
  }

  return {
    isDryRun,
    async listClasses() {
      const versions = new Map((await readClasses(run)).map(({ id, version }) => [id, version]))
      return (await listClasses(run)).map((one) => ({ ...one, version: versions.get(one.id) ?? 0 }))
    },
    async lastNumber() {
      const [row] = await run<[number]>(`SELECT greatest((SELECT max(id) FROM classes)::bigint,
        (SELECT value::bigint FROM settings WHERE name = 'class_number'), 0)`)
      return row?.[0] ?? 0
    },
    ...(!isDryRun && {
      keepWritersOut: (classes) =>
        script(
          lockTables(
            classes.map(({ id }) => tablesOf(id, []).members),
            'SHARE',
          ),
        ),
    }),
    batches: (former) => batchesOf(run, former),
    async listIds({ id }, ids) {
      const rows = await run<[string]>(`SELECT id FROM members_${id} WHERE id = ANY ($1::text[])`, [
        textArray(ids),
      ])
      return rows.map(([found]) => found)
    },
    async createTables(cls) {
      const tables = newTables(cls)
      await script(createTables(tables))
      return (members) => writeMembers(run, tables, members)
    },
    async changeLinks(className, removed, added) {
      const rows = 'unnest($2::text[], $3::text[], $4::text[], $5::text[])'
      await run(
        `DELETE FROM links WHERE from_class = $1 AND (from_id, property, to_class, to_id) IN (SELECT * FROM ${rows})`,
        linkParams(className, removed),
      )
      await run(
        `INSERT INTO links (from_class, from_id, property, to_class, to_id) SELECT $1, * FROM ${rows} ON CONFLICT DO NOTHING`,
        linkParams(className, added),
      )
    },
    async listDuplicates(cls, key, most) {
      const { members } = newTables(cls)
      const rows = await run<[string, string, string]>(duplicatesText(members, members, `k${key}`, most))
      return rows.map(([firstId, id, body]): Duplicate => ({ firstId, id, body }))
    },
    finish: (plan, classes) => finish(transaction, plan, classes),
  }
}

const linkParams = (className: string, links: readonly MemberLink[]): string[] => [
  className,
  textArray(links.map(({ from }) => from)),
  textArray(links.map(({ link }) => link.property)),
  textArray(links.map(({ link }) => link.className)),
  textArray(links.map(({ link }) => link.id)),
]

/** Each batch is asked for while the one before it is worked on. */
async function* batchesOf(run: Run, { id, name }: StoredClass): AsyncGenerator<MemberRow[]> {
  // At least one member, whatever its size.
  const text = `
    SELECT sequence, id, version, body, holes, hidden, (
      SELECT coalesce(json_agg(json_build_array(property, to_class, to_id)), '[]')::text
      FROM links WHERE from_class = $1 AND from_id = sized.id)
    FROM (
      SELECT *, sum(octet_length(body) + octet_length(hidden)) OVER (ORDER BY sequence) AS bytes
      FROM (SELECT * FROM members_${id} WHERE sequence > $2 ORDER BY sequence LIMIT ${BATCH}) AS batch
    ) AS sized
    WHERE bytes - octet_length(body) - octet_length(hidden) < ${BATCH_BYTES} ORDER BY sequence`
  const read = (last: number) => {
    const rows = run<[number, string, number, string, string, string, string]>(text, [name, last])
    rows.catch(() => {})
    return rows
  }
  for (let next = read(0); ; ) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = read(last[0])
    yield rows.map(([sequence, id, version, body, holes, hidden, links]) => ({
      sequence,
      id,
      version,
      body,
      holes,
      hidden,
      links,
    }))
  }
}

/** One statement after the other on their connection, without waiting for each answer. */
async function writeMembers(
  run: Run,
  { members, values, words, shapes }: Tables,
  converted: readonly ConvertedMember[],
): Promise<void> {
  const columns = ['sequence', 'version', 'id', 'body', 'holes', 'hidden', ...keyColumns(shapes), 'words']
  const keys = converted.map((one) => keyRow(shapes, one.keys))
  const valuesOf = converted.flatMap(({ row: { sequence }, keys }) =>
    valueRows(shapes, keys).map((value) => ({ sequence, ...value })),
  )
  const wordsOf = converted.flatMap(({ row: { sequence }, keys }) =>
    wordRows(keys).map((word) => ({ sequence, word })),
  )
  await Promise.all([
    run(
      `INSERT INTO ${members} (${columns}) SELECT ${columns.map((name) => (name === 'words' ? 'words::text[]' : name))}
       FROM unnest(${columns.map((_, index) => `$${index + 1}::${index < 2 ? 'bigint' : 'text'}[]`)}) AS row (${columns})`,
      [
        numberArray(converted.map(({ row }) => row.sequence)),
        numberArray(converted.map(({ version }) => version)),
        textArray(converted.map(({ row }) => row.id)),
        textArray(converted.map(({ body }) => body)),
        textArray(converted.map(({ holes }) => holes)),
        textArray(converted.map(({ hidden }) => hidden)),
        ...keyColumns(shapes).map((_, index) => textArray(keys.map((row) => row[index] ?? null))),
        textArray(converted.map((one) => textArray(wordRows(one.keys)))),
      ],
    ),
    run(
      `INSERT INTO ${values} (${VALUE_COLUMNS}, sequence)
       SELECT * FROM unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::bigint[])`,
      [...valueArrays(valuesOf), numberArray(valuesOf.map(({ sequence }) => sequence))],
    ),
    run(`INSERT INTO ${words} (word, sequence) SELECT * FROM unnest($1::text[], $2::bigint[])`, [
      textArray(wordsOf.map(({ word }) => word)),
      numberArray(wordsOf.map(({ sequence }) => sequence)),
    ]),
  ])
}

/** Readers of the former tables are waited for at the very end. The sequences go along, so that no number is given out twice. */
async function finish(
  { run, script }: Transaction,
  { renamings, replaced }: MigrationPlan,
  classes: readonly FinishedClass[],
): Promise<void> {
  for (const { shape, former, number } of classes) {
    const tables = tablesOf(number, shape.keys)
    if (former === undefined) await script(createSequences(tables) + createTables(tables))
    await script(createIndexes(tables))
    await script(analyzeFilled([tables.members, tables.values, tables.words, 'links']))
  }
  const outdated = [...classes.flatMap(({ former }) => former ?? []), ...replaced].map(({ id }) =>
    tablesOf(id, []),
  )
  if (outdated.length > 0) {
    const names = outdated.flatMap(({ members, values, words }) => [members, values, words])
    await script(lockTables(names, 'ACCESS EXCLUSIVE'))
    await script(outdated.map(dropTables).join('\n'))
    for (const { id } of replaced) await script(`DROP SEQUENCE order_${id}, versions_${id}`)
    await run('DELETE FROM classes WHERE id = ANY ($1::int[])', [
      numberArray(outdated.map(({ classId }) => classId)),
    ])
  }
  for (const { shape, former, number, version } of classes) {
    const { order, versions } = tablesOf(number, [])
    await run('INSERT INTO classes (id, name, fingerprint, shapes) VALUES ($1, $2, $3, $4)', [
      number,
      shape.name,
      shape.fingerprint,
      shapesText(shape),
    ])
    if (former !== undefined) {
      await run('INSERT INTO totals (class_id, slot, total) VALUES ($1, 0, $2)', [number, former.total])
      const before = tablesOf(former.id, [])
      await script(`ALTER SEQUENCE ${before.order} RENAME TO ${order};
        ALTER SEQUENCE ${before.versions} RENAME TO ${versions}`)
      await goOn(run, versions, version)
    }
    await run(
      `INSERT INTO settings VALUES ('class_number', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [String(number)],
    )
  }
  for (const { from, to } of renamings) {
    await run('UPDATE links SET from_class = $1 WHERE from_class = $2', [to, from])
    await run('UPDATE links SET to_class = $1 WHERE to_class = $2', [to, from])
  }
}
