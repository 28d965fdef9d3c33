import { linksText, readLinks } from '../history.ts'
import type { Link, WholeText } from '../member.ts'
import { type MigrationPlan, type StoredClass, withPresentNames } from './plan.ts'
import { BATCH, BATCH_BYTES, type MigrationStore } from './statements.ts'

/** An entry of a history, as a migration converts it. */
export interface EntryText extends WholeText {
  readonly links: readonly Link[]
}

type EntryColumns = [
  ...[id: string, version: number, body: string, baseUrlOffsets: string, hidden: string, links: string],
]

const COLUMNS = 'id, version, body, holes, hidden, links'

/** An entry may link to a class that is renamed, also where its own class is hidden. */
export async function migrateHistories(store: MigrationStore, plan: MigrationPlan): Promise<void> {
  const shapes = new Map(plan.classes.map(({ shape, former }) => [former, shape]))
  for (const stored of plan.byName.values()) {
    const shape = shapes.get(stored)
    if (shape === undefined && plan.renamings.length === 0) continue
    await convertEntries(store, stored, (entry) => {
      const links = withPresentNames(entry.links, plan)
      return shape?.convertEntry(entry, links) ?? { ...entry, links }
    })
  }
}

/**
 * Converts the history of a class, if it has or has had one. Versions stay, since no entry is made, and the other columns do
 * too.
 */
export async function convertEntries(
  store: MigrationStore,
  { id }: StoredClass,
  convert: (entry: EntryText) => EntryText,
): Promise<void> {
  const table = `history_${id}`
  if (!(await store.hasTable(table))) return
  for await (const entries of batchesOf(store, table)) {
    const changed = entries.flatMap((entry): EntryColumns[] => {
      const [memberId, version, body, baseUrlOffsets, hidden, links] = entry
      const linked = readLinks(links)
      const converted = convert({ body, baseUrlOffsets, hidden, links: linked })
      const { body: newBody, baseUrlOffsets: newOffsets, hidden: newHidden } = converted
      // PostgreSQL writes the same JSON with other spaces.
      const newText = linksText(converted.links)
      const newLinks = newText === linksText(linked) ? links : newText
      const after: EntryColumns = [memberId, version, newBody, newOffsets, newHidden, newLinks]
      return after.every((value, column) => value === entry[column]) ? [] : [after]
    })
    if (changed.length > 0) await store.run(updateText(store, table), [JSON.stringify(changed)])
  }
}

const updateText = ({ jsonRows }: MigrationStore, table: string): string => `
  UPDATE ${table} AS entry SET body = value ->> 2, holes = value ->> 3, hidden = value ->> 4, links = value ->> 5
  FROM ${jsonRows} WHERE entry.id = value ->> 0 AND entry.version = CAST(value ->> 1 AS bigint)`

/** All entries, in the order of members and versions. */
async function* batchesOf(store: MigrationStore, table: string): AsyncGenerator<EntryColumns[]> {
  const part = (range: string) =>
    `SELECT * FROM (SELECT ${COLUMNS} FROM ${table} WHERE ${range} LIMIT ${BATCH}) AS part`
  const size = 'octet_length(body) + octet_length(hidden)'
  const text = `
    SELECT ${COLUMNS} FROM (
      SELECT *, sum(${size}) OVER (ORDER BY id, version) AS bytes
      FROM (
        ${part('id = $1 AND version > $2 ORDER BY version')}
        UNION ALL ${part('id > $1 ORDER BY id, version')}
      ) AS batch
    ) AS sized
    WHERE bytes - (${size}) < ${BATCH_BYTES} ORDER BY id, version`
  for (let [id, version] = ['', 0]; ; ) {
    const rows = await store.run<EntryColumns>(text, [id, version])
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    ;[id, version] = last
  }
}
