import type { DatabaseSync } from 'node:sqlite'
import { isMigrated } from '../migration/plan.ts'
import { type Row, toMember } from '../query/page.ts'
import type { ClassShape, MemberStore, Page } from '../store.ts'
import { createClassStates } from './class-states.ts'
import { arrays, createStatements, type ForeignWrites } from './connection.ts'
import { dialectOf } from './dialect.ts'
import { reading } from './errors.ts'
import type { Writer } from './group-commit.ts'
import { createLinkRows } from './links.ts'
import { listClasses } from './migrate.ts'
import { createListing } from './read.ts'
import { createRowBudget } from './row-budget.ts'
import { createUnfilteredRows } from './rows.ts'
import type { Scanner } from './scan.ts'
import { tablesOf } from './tables.ts'
import { createWrites } from './writes.ts'

export interface MemberStoreParts {
  readonly db: DatabaseSync
  readonly writer: Writer
  readonly foreignWrites: ForeignWrites
  /** Undefined where no other thread can read the database. */
  readonly scanner: Scanner | undefined
  readonly scanMs: number
}

const NO_MEMBERS: Page = { members: [], total: 0, more: false, edges: undefined }

export function openMemberStore(parts: MemberStoreParts, shapes: readonly ClassShape[]): MemberStore {
  const { db, writer, foreignWrites, scanner, scanMs } = parts
  const stored = new Map(listClasses(db).map((one) => [one.name, one]))
  const states = createClassStates(
    shapes.map(({ name }) => name),
    foreignWrites,
  )
  const reader = { statements: createStatements(db), budget: createRowBudget(db) }
  const list = createListing(reader, states, scanner, scanMs)
  const links = createLinkRows(db, (name) => stored.get(name)?.id)
  // Where nothing was migrated, a class without members may have no tables, or those of another API file.
  const empty = new Set<string>()
  const classes = new Map(
    shapes.flatMap((shape) => {
      const found = stored.get(shape.name)
      if (found !== undefined && isMigrated(found, shape))
        return [[shape.name, prepareClass(shape, found.id)]]
      empty.add(shape.name)
      return []
    }),
  )

  function prepareClass({ name, keys }: ClassShape, id: number) {
    const tables = tablesOf(id, keys)
    return {
      name,
      tables,
      find: arrays(db, `SELECT id, version, body, holes FROM ${tables.members} WHERE id = ?`),
      dialect: dialectOf(tables),
      unfilteredRows: createUnfilteredRows(db, tables),
      writes: createWrites({ db, name, tables, links, onChange: () => states.change(name) }),
    }
  }

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string): ReturnType<typeof prepareClass> {
    const found = classes.get(name)
    if (found === undefined) throw new Error(`The store was not opened with a class ${name}.`)
    return found
  }

  return {
    state: (className) => reading(() => states.of(className)),
    find: (className, id) =>
      reading(() => {
        if (empty.has(className)) return undefined
        const row = classOf(className).find.get(id)
        return row === undefined ? undefined : toMember(row as unknown as Row)
      }),
    list: (className, selection) =>
      reading(() => (empty.has(className) ? NO_MEMBERS : list(classOf(className), selection))),
    add: (className, member) => writer.write(() => classOf(className).writes.add(member)),
    addAll: (members) =>
      writer.write(() => members.map(({ className, member }) => classOf(className).writes.add(member))),
    change: (className, id, expected, compute) =>
      writer.write(() => classOf(className).writes.change(id, expected, compute)),
    remove: (className, id, expected) => writer.write(() => classOf(className).writes.remove(id, expected)),
  }
}
