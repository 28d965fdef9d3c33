import { randomUUID } from 'node:crypto'
import { isCanceled } from '../../database/postgres/errors.ts'
import type { Pool, Pools, RunSql, Transaction } from '../../database/postgres/pool.ts'
import {
  type ConvertedClass,
  convertForOneTurn,
  isFilledElsewhere,
  isPending,
  toMemberRow,
  type WorkRow,
  withoutPending,
} from '../catch-up.ts'
import { isOtherForm, type Layout, layoutSetting, type OwnForm } from '../layout.ts'
import type { CatchUp, OnConverting } from '../member-store.ts'
import { givenParams, givenTables, textColumns, VALUE_COLUMNS } from './class-statements.ts'
import { FEW_MEMBERS, saveLayout, slotIndex } from './join.ts'
import type { PostgresTables } from './tables.ts'
import { isOwnValue } from './write-statements.ts'

/** Maximum members and bytes of a portion: its rows are locked until it is committed. */
const PORTION = 100
const PORTION_BYTES = 1_000_000
/** How long a host that works may be silent before another one takes over. */
const LEASE_MS = 10_000

interface PostgresCatchUpDependencies {
  readonly pools: Pools<'quick' | 'writes'>
  /** Reads the classes as they are stored now, and returns those whose newest file is that of this host. */
  readonly reload: () => Promise<readonly (ConvertedClass & { readonly tables: PostgresTables })[]>
  /** Runs work on a connection whose statements may take any time. */
  readonly withUnlimited: <T>(work: (pool: Pool) => Promise<T>) => Promise<T>
}

type PostgresClass = ConvertedClass & { readonly tables: PostgresTables }

/** One host at a time works, by a lease in the settings; after a crash, the rows tell another one where to go on. */
export function createCatchUp({ pools, reload, withUnlimited }: PostgresCatchUpDependencies): CatchUp {
  const holder = randomUUID()
  const percents = new Map<string, number>()
  /** By class: the sequence number up to which members were looked at. */
  const positions = new Map<string, number>()
  let isHolder = false

  /** Otherwise the host that has the next file would wait until the lease ends. */
  async function release(): Promise<void> {
    if (!isHolder) return
    isHolder = false
    await pools.writes.run(
      `DELETE FROM settings WHERE name = 'conversion' AND value::json ->> 'holder' = $1::text`,
      [holder],
    )
  }

  async function catchUp(cls: PostgresClass, onConverting: OnConverting): Promise<boolean> {
    const { name } = cls.shape
    const { layout } = cls.stored
    const form = cls.tables.form as OwnForm
    const report = (percent: number) => {
      if (isPending(layout)) onConverting({ className: name, percent })
    }
    report(percents.get(name) ?? 0)
    if (cls.stored.total > FEW_MEMBERS && !(await build(cls))) return false
    return convertForOneTurn(() => convertNext(cls, form, report))
  }

  /** Returns whether there is more to do. */
  async function convertNext(
    cls: PostgresClass,
    form: OwnForm,
    report: (percent: number) => void,
  ): Promise<boolean> {
    const { name } = cls.shape
    const { layout } = cls.stored
    const last = await pools.writes.transaction((within) =>
      convertPortion(within, cls, form, positions.get(name) ?? 0),
    )
    if (last === undefined) {
      const isAround = (positions.get(name) ?? 0) > 0
      positions.delete(name)
      // A member that another writer had locked was left out.
      if (isAround) return true
      if (isPending(layout)) await markReady(pools.writes, name, layout)
      percents.delete(name)
      report(100)
      return false
    }
    positions.set(name, last)
    if (isPending(layout)) percents.set(name, await percentOf(pools.quick.run, cls.tables, last))
    report(percents.get(name) ?? 0)
    return claim(pools.writes.run, holder, percents)
  }

  /** The backend that builds indexes: it waits for every transaction that has begun before, however long that takes. */
  let builder: number | undefined

  /** Returns whether all indexes are there. */
  async function build(cls: PostgresClass): Promise<boolean> {
    const wanted = await missingIndexes(pools.quick.run, cls)
    if (wanted.length === 0) return true
    const renewing = setInterval(
      () => claim(pools.writes.run, holder, percents).catch(() => {}),
      LEASE_MS / 3,
    )
    try {
      await withUnlimited(async ({ run }) => {
        const [row] = await run<[number]>('SELECT pg_backend_pid()')
        builder = row?.[0]
        await buildIndexes(run, cls, wanted)
      })
      return true
    } catch (error) {
      if (isCanceled(error)) return false
      throw error
    } finally {
      builder = undefined
      clearInterval(renewing)
    }
  }

  return {
    async interrupt() {
      if (builder !== undefined) await pools.writes.run('SELECT pg_cancel_backend($1::int)', [builder])
    },
    release,
    async turn(onConverting = () => {}) {
      const classes = await reload()
      if (classes.length === 0) await release()
      if (classes.length === 0 || !(await claim(pools.writes.run, holder, percents))) {
        percents.clear()
        return false
      }
      isHolder = true
      let isMore = false
      for (const cls of classes) isMore = (await catchUp(cls, onConverting)) || isMore
      return isMore
    },
    progress: () => [...percents].map(([className, percent]) => ({ className, percent })),
  }
}

/** By the clock of the database. The setting also says how far the holder is, for the others. */
async function claim(run: RunSql, holder: string, percents: ReadonlyMap<string, number>): Promise<boolean> {
  const rows = await run(
    `INSERT INTO settings VALUES ('conversion', json_build_object('holder', $1::text, 'progress', $2::text::json,
      'until', ${NOW_MS} + ${LEASE_MS})::text)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value
     WHERE settings.value::json ->> 'holder' = $1 OR (settings.value::json ->> 'until')::bigint < ${NOW_MS}
     RETURNING 1`,
    [holder, JSON.stringify(Object.fromEntries(percents))],
  )
  return rows.length > 0
}

const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** How far the host is that converts members, in percent by class. */
export async function readProgress(run: RunSql): Promise<ReadonlyMap<string, number>> {
  const [row] = await run<[string]>(
    `SELECT value::json ->> 'progress' FROM settings WHERE name = 'conversion'`,
  )
  return new Map(Object.entries(JSON.parse(row?.[0] ?? '{}') as Record<string, number>))
}

async function percentOf(run: RunSql, { order }: PostgresTables, last: number): Promise<number> {
  const [row] = await run<[number]>(`SELECT last_value FROM ${order}`)
  return Math.min(99, Math.floor((100 * last) / Math.max(1, row?.[0] ?? 1)))
}

/** The index of the members that are to be converted; another form makes it another index. */
const workIndex = ({ members, form }: PostgresTables): string => `${members}_other_${form?.own}`

async function hasIndex(run: RunSql, name: string): Promise<boolean> {
  const text = 'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1::text)'
  return (await run<[boolean]>(text, [name]))[0]?.[0] === true
}

type WantedIndex = readonly [name: string, text: string]

/** The index of the work, and those of new keys. */
async function missingIndexes(run: RunSql, { tables, stored }: PostgresClass): Promise<WantedIndex[]> {
  const { members } = tables
  const work = `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${workIndex(tables)} ON ${members} (sequence)
    WHERE ${isOtherForm(tables.form as OwnForm, members)}`
  const wanted: WantedIndex[] = [
    [workIndex(tables), work],
    ...stored.layout.slots.flatMap(({ isPending: isSlotPending }, index): WantedIndex[] =>
      isSlotPending ? [[`${members}_${index}`, slotIndex(members, index, 'CONCURRENTLY')]] : [],
    ),
  ]
  const missing: WantedIndex[] = []
  for (const index of wanted) if (!(await hasIndex(run, index[0]))) missing.push(index)
  return missing
}

/** Without a lock that writers wait for. An index whose building was broken off is built anew. */
async function buildIndexes(
  run: RunSql,
  { tables }: PostgresClass,
  wanted: readonly WantedIndex[],
): Promise<void> {
  const { members } = tables
  for (const [name, text] of wanted) {
    await run(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    await run(text)
  }
  const former = await run<[string]>(
    `SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = $1::text::regclass
      AND indexrelid::regclass::text LIKE $2 AND indexrelid <> to_regclass($3::text)`,
    [members, `${members}_other_%`, workIndex(tables)],
  )
  for (const [name] of former) await run(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
  await run(`ANALYZE ${members}`)
}

/** Returns the last sequence number; undefined if there are no more. */
async function convertPortion(
  { run }: Transaction,
  cls: PostgresClass,
  form: OwnForm,
  after: number,
): Promise<number | undefined> {
  const { members, shapes } = cls.tables
  // Rows of a file that is newer than the layout are left to the hosts that have it.
  const known = cls.stored.layout.forms.map(({ fingerprint }) => fingerprint)
  const rows = await run<WorkRow>(
    `SELECT sequence, id, version, owner, body, holes, hidden, form,
      (SELECT coalesce(json_agg(json_build_array(property, to_class, to_id)), '[]')::text FROM links
        WHERE from_class = $2 AND from_id = m.id)
     FROM ${members} m WHERE sequence > $1 AND ${isOtherForm(form, 'm')} AND form IN (${known})
     ORDER BY sequence LIMIT ${PORTION} FOR NO KEY UPDATE SKIP LOCKED`,
    [after, cls.shape.name],
  )
  if (rows.length === 0) return undefined
  let bytes = 0
  const taken = rows.filter(([, , , , body, , hidden], index) => {
    const isTaken = index === 0 || bytes < PORTION_BYTES
    bytes += body.length + hidden.length
    return isTaken
  })
  const given = taken.map((row) => {
    const { row: stored, ...content } = cls.forms.convertRow(toMemberRow(row))
    return {
      member: { ...content, id: stored.id, owner: stored.owner },
      sequence: stored.sequence,
      version: isFilledElsewhere(cls, content) ? null : stored.version,
    }
  })
  await run(rewriteText(cls.tables, form), givenParams(shapes, given))
  return taken.at(-1)?.[0]
}

/**
 * Writes converted members, whose rows are locked. Versions that are given stay, since hosts have shown these values before:
 * a client that has read a member can change it. So do links. Members without a version get another one, for the caches of
 * clients; it is neither logged nor in the history, since no user has changed the member.
 */
const rewriteText = (tables: PostgresTables, form: OwnForm): string => {
  const { members, values, words, versions, shapes } = tables
  const columns = textColumns(shapes).filter((name) => name !== 'id')
  return `WITH ${givenTables(shapes)},
    before AS MATERIALIZED (
      SELECT sequence, word FROM given JOIN ${members} AS present USING (sequence), unnest(present.words) AS word
    ),
    after AS MATERIALIZED (SELECT sequence, word FROM given, unnest(words) AS word),
    changed AS (
      UPDATE ${members} AS present
      SET version = coalesce(given.version, nextval('${versions}')), form = ${form.own},
        ${columns.map((name) => `${name} = given.${name}`)}
      FROM given WHERE present.sequence = given.sequence
    ),
    unworded AS (
      DELETE FROM ${words} AS one USING (SELECT * FROM before EXCEPT SELECT * FROM after) AS former
      WHERE one.word = former.word AND one.sequence = former.sequence
    ),
    worded AS (
      INSERT INTO ${words} (sequence, word) SELECT * FROM after EXCEPT SELECT * FROM before ORDER BY word
      ON CONFLICT DO NOTHING
    ),
    present_values AS MATERIALIZED (
      SELECT sequence, ${VALUE_COLUMNS} FROM value JOIN given USING (place)
    ),
    unvalued AS (
      DELETE FROM ${values} WHERE sequence IN (SELECT sequence FROM given) AND ${isOwnValue(tables)}
        AND (sequence, property, key, element) NOT IN (SELECT sequence, property, key, element FROM present_values)
    )
    INSERT INTO ${values} (sequence, ${VALUE_COLUMNS}) SELECT sequence, ${VALUE_COLUMNS} FROM present_values
    ON CONFLICT DO NOTHING`
}

/** Not if the layout has changed meanwhile: another host with another file has joined. */
async function markReady({ transaction }: Pool, className: string, layout: Layout): Promise<void> {
  await transaction(async ({ run }) => {
    const name = layoutSetting(className)
    const [row] = await run<[string]>('SELECT value FROM settings WHERE name = $1 FOR UPDATE', [name])
    if (row?.[0] === JSON.stringify(layout)) await saveLayout(run, className, withoutPending(layout))
  })
}
