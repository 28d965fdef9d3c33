import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import { type Awaitable, SCAN_MS } from '../../database/index.ts'
import { arrays, type DataVersion } from '../../database/sqlite/connection.ts'
import type { SqliteDatabase } from '../../database/sqlite/database.ts'
import { missingTable } from '../../database/sqlite/errors.ts'
import { type ConvertedClass, withoutPending } from '../catch-up.ts'
import { type ChangeLog, watchedWrites } from '../changes.ts'
import type { ClassSchema } from '../class-schema.ts'
import { createClassForms, withConvertedEntries, withForms } from '../forms.ts'
import { slotsFor } from '../layout.ts'
import {
  type IndexedLink,
  type LinkPage,
  LONGEST_CACHED_MEMBER,
  MAX_CACHED_MEMBERS,
  type StoredMember,
  toLinkPage,
  type WholeText,
} from '../member.ts'
import { type MemberStore, NO_MEMBERS, type OpenMembers } from '../member-store.ts'
import { watchOtherMigrations } from '../migration/elsewhere.ts'
import { type PageMemberRow, toMember } from '../query/page.ts'
import type { SummaryRows, SummarySelection } from '../summary.ts'
import { Totals } from '../totals.ts'
import { createCatchUp } from './catch-up.ts'
import { openChangeLog } from './changes/changes.ts'
import { openFollowers } from './changes/followers.ts'
import type { MemberCommands, StoredClasses } from './commands.ts'
import { openHistory } from './history/history.ts'
import { createUnfilteredRows, readerOf } from './pages.ts'
import { createListing, createSnapshots, type ListMembers, type Search, search } from './read.ts'
import { createScanner } from './scan.ts'
import { summarize } from './summary.ts'
import { dialectOf, formerOf, type SqliteTables, type TablesByClass } from './tables.ts'
import { createWrites } from './writes.ts'

interface SqliteMembersOptions {
  readonly shapes: readonly ClassSchema[]
  /** The tables of the classes, as they were found at opening. */
  readonly classes: StoredClasses
  /** The classes whose rows have forms, by name. */
  readonly converted: ReadonlyMap<string, ConvertedClass>
  readonly scanMs?: number | undefined
  readonly onMigratedElsewhere?: (() => void) | undefined
}

/** The members, and the log of their changes, in a database whose writer has the commands of `memberCommands`. */
export function createMemberStore(database: SqliteDatabase, options: SqliteMembersOptions): OpenMembers {
  const { shapes, classes, converted, scanMs = SCAN_MS, onMigratedElsewhere } = options
  const { db, file, dataVersion, path } = database
  const { explain } = watchOtherMigrations(isTableMissing, onMigratedElsewhere)
  const writer = database.writer<MemberCommands>()
  const reader = readerOf(db, scanMs)
  const scanner =
    path === undefined ? undefined : createScanner({ path, scanMs, classes: classes.tables }, explain)
  // A database in memory belongs to one connection, so no other thread can search it: other requests wait meanwhile.
  const searchHere: Search = (tables, selection) =>
    search(reader, dialectOf(tables, classes.tables), selection, performance.now() + scanMs)
  const read = <T>(work: () => T): T => {
    try {
      return file.read(work)
    } catch (error) {
      throw explain(error)
    }
  }
  const summarizeHere = (tables: SqliteTables, query: SummarySelection) =>
    summarize(reader, dialectOf(tables, classes.tables), query, {
      deadline: performance.now() + scanMs,
      scanMs,
    })
  const dependencies = {
    summarize: scanner?.summarize ?? summarizeHere,
    db,
    file,
    dataVersion,
    read,
    list: createListing(reader, scanner?.scan ?? searchHere, createSnapshots(db)),
  }
  // Preparing statements reads the tables, too.
  const { replaceTables, ...reads } = read(() => createReads(dependencies, shapes, classes.tables))
  const forms = new Map([...converted].map(([name, { forms: ofClass }]) => [name, ofClass]))
  const stored = { ...reads, ...createWrites(writer, reads, explain) }
  const catchUp = createCatchUp({
    ...{ db, writer },
    classes: [...converted].flatMap(([name, cls]) => {
      const tables = classes.tables.get(name)
      return tables?.isMixed ? [{ ...cls, tables }] : []
    }),
    onConverted(name) {
      const { stored: one, shape } = converted.get(name) as ConvertedClass
      const layout = withoutPending(one.layout)
      forms.set(name, createClassForms({ ...one, layout }, shape, slotsFor(layout, shape) ?? []))
      read(() => replaceTables(name, { ...(classes.tables.get(name) as SqliteTables), isMixed: false }))
    },
  })
  const percentOf = (name: string) =>
    catchUp.progress().find(({ className }) => className === name)?.percent ?? 0
  const { members, watch } = watchedWrites(
    converted.size === 0 ? stored : withForms(stored, (name) => forms.get(name), percentOf),
  )
  const changes: ChangeLog = {
    ...openChangeLog(db, file, shapes),
    watch,
    sweep: (...args) => writer.writeUnsynced('sweepChanges', args),
  }
  if (scanner !== undefined) database.beforeClose(scanner.close)
  const history = withConvertedEntries(
    openHistory({ db, writer, read, explain, shapes, tables: classes.tables }),
    (name) => forms.get(name),
  )
  return { members, changes, followers: openFollowers(database), history, catchUp }
}

/** The tables of a class existed when the store was opened; a migration gives them new names. */
const isTableMissing = (error: unknown): boolean =>
  /^(?:members|keys|values|words|owned|history)_[0-9]+$/.test(missingTable(error) ?? '')

interface ReadDependencies extends Pick<SqliteDatabase, 'db' | 'file' | 'dataVersion'> {
  /** Reads after a check of the file, with errors for the client. */
  readonly read: SqliteDatabase['file']['read']
  readonly list: ListMembers
  readonly summarize: (tables: SqliteTables, query: SummarySelection) => Awaitable<SummaryRows>
}

function createReads(
  { db, file, dataVersion, read, list, summarize }: ReadDependencies,
  shapes: readonly ClassSchema[],
  stored: StoredClasses['tables'],
): Pick<
  MemberStore,
  'state' | 'find' | 'findWithHidden' | 'findAll' | 'findHeads' | 'linksTo' | 'list' | 'summarize'
> & { replaceTables(name: string, tables: SqliteTables): void } {
  const versionOf = createClassVersions(db, dataVersion)
  const linksTo = createLinksTo(db)
  // If nothing was migrated, a class without members may have no tables, or those of another API file.
  const classes = new Map(shapes.map(({ name }) => [name, prepareClass(db, stored.get(name), stored)]))

  /** Undefined if there are no members. The caller has the class from the same model that the store was opened with. */
  function classOf(name: string) {
    if (!classes.has(name)) throw new Error(`The store was not opened with a class ${name}.`)
    return classes.get(name)
  }

  return {
    /** After all members of the class were converted. */
    replaceTables(name: string, tables: SqliteTables): void {
      classes.set(name, prepareClass(db, tables, stored))
    },
    state: (className) =>
      read(() => {
        const cls = classOf(className)
        return cls === undefined ? 0 : versionOf(cls.tables)
      }),
    find: (className, id) =>
      read(() => {
        const cls = classOf(className)
        if (cls === undefined) return undefined
        // Read before the row: a write in between belongs to a later version of the class.
        const classVersion = versionOf(cls.tables)
        const known = cls.cached.get(id)
        if (known?.classVersion === classVersion) return known.member
        const row = cls.find.get<PageMemberRow>(id)
        if (row === undefined) return undefined
        const member = toMember(row)
        if (member.body.length <= LONGEST_CACHED_MEMBER) cls.cached.set(id, { classVersion, member })
        return member
      }),
    findWithHidden: (className, id) =>
      read(() => {
        const row = classOf(className)?.findWithHidden.get(id) as (StoredMember & WholeText) | undefined
        if (row === undefined) return undefined
        const { former, ...member } = { ...row, owner: row.owner ?? undefined }
        return former == null ? member : { ...member, former }
      }),
    findAll: (className, ids, bytes, owner) =>
      read(() => {
        const rows = classOf(className)?.findAll.iterate<PageMemberRow>(JSON.stringify(ids), owner ?? null)
        return upTo(bytes, rows ?? [])
      }),
    findHeads: (className, ids) =>
      read(() => {
        const rows = classOf(className)?.findHeads.all<[string, number, number | null]>(JSON.stringify(ids))
        return (rows ?? []).map(([id, version, owner]) => ({ id, version, owner: owner ?? undefined }))
      }),
    linksTo: (...asked) => read(() => linksTo(...asked)),
    list: (className, selection) =>
      read(() => {
        const cls = classOf(className)
        if (cls === undefined) return NO_MEMBERS
        const page = list(cls, selection)
        // A scan thread has its own connection, which may be to another file, so the file is checked afterwards.
        return page instanceof Promise ? page.finally(() => file.check()) : page
      }),
    summarize: (className, query) =>
      read(() => {
        const cls = classOf(className)
        if (cls === undefined) return new Totals(query).rows()
        const rows = summarize(cls.tables, query)
        return rows instanceof Promise ? rows.finally(() => file.check()) : rows
      }),
  }
}

/** Ends with the member at which the texts exceed `bytes`. */
function upTo(bytes: number, rows: Iterable<PageMemberRow>): StoredMember[] {
  const found: StoredMember[] = []
  let left = bytes
  for (const row of rows) {
    const member = toMember(row)
    found.push(member)
    left -= Buffer.byteLength(member.body)
    if (left < 0) break
  }
  return found
}

/** Finds links from members of any class. */
function createLinksTo(db: DatabaseSync) {
  const columns = 'SELECT l.to_id, l.from_class, l.property, l.from_id FROM'
  const all = arrays(
    db,
    `${columns} json_each(?2) i CROSS JOIN links l ON l.to_class = ?1 AND l.to_id = i.value
     ORDER BY i.key, l.from_class, l.property, l.from_id LIMIT ?3`,
  )
  const rest = arrays(
    db,
    `${columns} links l WHERE l.to_class = ?1 AND l.to_id = ?2 AND (l.from_class, l.property, l.from_id) > (?4, ?5, ?6)
     ORDER BY l.from_class, l.property, l.from_id LIMIT ?3`,
  )
  type IndexedLinkRow = [toId: string, fromClass: string, property: string, fromId: string]
  const toLink = ([toId, fromClass, property, fromId]: IndexedLinkRow): IndexedLink => ({
    ...{ toId, fromClass, property, fromId },
  })
  return (className: string, ids: readonly string[], limit: number, after?: IndexedLink): LinkPage => {
    const read = (some: readonly string[], most: number) =>
      all.all<IndexedLinkRow>(className, JSON.stringify(some), most).map(toLink)
    if (after === undefined) return toLinkPage(read(ids, limit), limit)
    const { toId, fromClass, property, fromId } = after
    const links = rest.all<IndexedLinkRow>(className, toId, limit, fromClass, property, fromId).map(toLink)
    const left = limit - links.length
    return toLinkPage(left === 0 ? links : [...links, ...read(ids.slice(1), left)], limit)
  }
}

/** The statements that read a class; undefined if it has no tables. */
function prepareClass(db: DatabaseSync, tables: SqliteTables | undefined, classes: TablesByClass) {
  if (tables === undefined) return undefined
  const { members, keys } = tables
  const former = formerOf(tables, 'm')
  return {
    tables,
    find: arrays(db, `SELECT id, version, body, holes, owner, 0, ${former} FROM ${members} m WHERE id = ?`),
    findAll: arrays(
      db,
      `SELECT m.id, m.version, m.body, m.holes, m.owner, 0, ${former} FROM json_each(?1) i CROSS JOIN ${members} m ON m.id = i.value
       WHERE ?2 IS NULL OR ?2 = (SELECT k.owner FROM ${keys} k WHERE k.sequence = m.sequence)`,
    ),
    // The owner from the row of the keys: in that of the member it is stored after all the text.
    findHeads: arrays(
      db,
      `SELECT m.id, m.version, k.owner FROM json_each(?1) i CROSS JOIN ${members} m ON m.id = i.value
       CROSS JOIN ${keys} k ON k.sequence = m.sequence`,
    ),
    findWithHidden: db.prepare(
      `SELECT id, version, body, holes AS baseUrlOffsets, hidden, owner, ${former} AS former FROM ${members} m WHERE id = ?`,
    ),
    dialect: dialectOf(tables, classes),
    unfilteredRows: createUnfilteredRows(db, tables),
    /** The latest members that were read one by one, each valid for the version of the class at which it was read. */
    cached: new BoundedMap<string, { readonly classVersion: number; readonly member: StoredMember }>(
      MAX_CACHED_MEMBERS,
    ),
  }
}

/** The version of a class that another process has migrated. */
const MIGRATED = -1

/** The last version that any process has issued in a class, by the number of its tables, which is never used again. */
function createClassVersions(db: DatabaseSync, dataVersion: DataVersion) {
  const rows = arrays(db, 'SELECT id, version FROM classes')
  let versions = new Map<number, number>()
  let seen: number | undefined
  return ({ classId }: SqliteTables): number => {
    const current = dataVersion()
    if (current !== seen) versions = new Map(rows.all<[id: number, version: number]>())
    seen = current
    return versions.get(classId) ?? MIGRATED
  }
}
