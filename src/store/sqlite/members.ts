import type { DatabaseSync } from 'node:sqlite'
import { isMigrated } from '../migration/plan.ts'
import { type Row, toMember } from '../query/page.ts'
import type { ClassShape, MemberStore, Page } from '../store.ts'
import { arrays, createReader, type ForeignWrites } from './connection.ts'
import { reading } from './errors.ts'
import type { FileWatch } from './file-watch.ts'
import type { Writer } from './group-commit.ts'
import { listClasses } from './migrate.ts'
import { createClassStates, createListing, createSearch } from './read.ts'
import { createUnfilteredRows } from './rows.ts'
import type { Scanner } from './scan.ts'
import { dialectOf, tablesOf } from './tables.ts'
import { createLinkRows, createWrites } from './writes.ts'

export interface MemberStoreParts {
  readonly db: DatabaseSync
  readonly file: FileWatch
  readonly writer: Writer
  readonly foreignWrites: ForeignWrites
  /** Undefined where no other thread can read the database. */
  readonly scanner: Scanner | undefined
  readonly scanMs: number
}

const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }

export function openMemberStore(parts: MemberStoreParts, shapes: readonly ClassShape[]): MemberStore {
  const { db, file, writer, foreignWrites, scanner, scanMs } = parts
  const stored = listClasses(db)
  const states = createClassStates(
    shapes.map(({ name }) => name),
    foreignWrites,
  )
  const reader = createReader(db)
  const list = createListing(reader, states, scanner?.scan ?? createSearch(reader, scanMs))
  const links = createLinkRows(db, stored)
  // Where nothing was migrated, a class without members may have no tables, or those of another API file.
  const empty = new Set<string>()
  const classes = new Map<string, ReturnType<typeof prepareClass>>()
  for (const shape of shapes) {
    const found = stored.find((one) => isMigrated(one, shape))
    if (found === undefined) empty.add(shape.name)
    else classes.set(shape.name, prepareClass(shape, found.id))
  }

  function prepareClass({ name, keys }: ClassShape, id: number) {
    const tables = tablesOf(id, keys)
    return {
      name,
      tables,
      find: arrays(db, `SELECT id, version, body, holes, owner FROM ${tables.members} WHERE id = ?`),
      dialect: dialectOf(tables),
      unfilteredRows: createUnfilteredRows(db, tables),
      writes: createWrites(db, { name, tables, links, onChange: () => states.change(name) }),
    }
  }

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string) {
    const found = classes.get(name)
    if (found === undefined) throw new Error(`The store was not opened with a class ${name}.`)
    return found
  }

  return {
    state: (className) => reading(() => states.of(className)),
    find: (className, id) =>
      reading(() => {
        file.glance()
        if (empty.has(className)) return undefined
        const row = classOf(className).find.get(id)
        return row === undefined ? undefined : toMember(row as unknown as Row)
      }),
    list: (className, selection) =>
      reading(() => {
        file.glance()
        if (empty.has(className)) return NO_MEMBERS
        const page = list(classOf(className), selection)
        // A scan thread has a connection of its own, which may be to another file: a look behind it.
        return page instanceof Promise ? page.finally(() => file.look()) : page
      }),
    add: (className, member) => writer.write(() => classOf(className).writes.add(member)),
    addAll: (members) =>
      writer.write(() => members.map(({ className, member }) => classOf(className).writes.add(member))),
    change: (className, id, expected, compute) =>
      writer.write(() => classOf(className).writes.change(id, expected, compute)),
    remove: (className, id, expected, owner) =>
      writer.write(() => classOf(className).writes.remove(id, expected, owner)),
  }
}
