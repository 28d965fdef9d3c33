import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Added, Link, MemberStore, NewMember, Removed, StoredMember } from '../store.ts'
import { createClassStates } from './class-states.ts'
import { reading } from './errors.ts'
import type { ForeignWrites } from './foreign-writes.ts'
import { createMemberTable } from './schema.ts'
import type { Writer } from './writer.ts'

/** So many of those who link to a member are named when it cannot be removed. */
const NAMED = 10
/** A writer that gets in between so often is not there: each try takes microseconds, each write milliseconds. */
const MOST_TRIES = 10

export function openMemberStore(
  db: DatabaseSync,
  writer: Writer,
  classNames: readonly string[],
  foreignWrites: ForeignWrites,
): MemberStore {
  const states = createClassStates(classNames, foreignWrites)
  const shared = prepareShared(db)
  const classes = new Map(classNames.map((name) => [name, prepareClass(db, tableOf(db, name))]))

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string): ClassStatements {
    const found = classes.get(name)
    if (found === undefined) throw new Error(`The store was not opened with a class ${name}.`)
    return found
  }

  return {
    state(className) {
      return reading(() => states.of(className))
    },

    find(className, id) {
      return reading(() => {
        const row = classOf(className).find.get(id)
        return row === undefined ? undefined : toMember(row as unknown as Row)
      })
    },

    listPage(className, offset, limit) {
      return reading(() => {
        const { list } = classOf(className)
        const readTotal = () => (shared.total.get(className) as unknown as [number])[0]
        // Total and members belong together: once more when another process has written in between.
        for (let tries = 1; ; tries += 1) {
          const state = states.of(className)
          const total = states.recall(className, state, readTotal)
          const members = (list.all(limit, offset) as unknown as Row[]).map(toMember)
          if (tries === MOST_TRIES || states.of(className) === state) return { members, total }
        }
      })
    },

    add(className, member) {
      return writer.write(() => add(className, member))
    },

    remove(className, id, expected) {
      return writer.write(() => remove(className, id, expected))
    },
  }

  function add(className: string, member: NewMember): Added {
    const { id, fingerprint, body, holes, links, unique } = member
    const statements = classOf(className)
    if (statements.find.get(id) !== undefined) return { outcome: 'exists' }
    const dangling = links.filter((link) => !exists(link))
    if (dangling.length > 0) return { outcome: 'dangling', links: dangling }
    const taken = unique.filter(
      ({ property, key }) => shared.owner.get(className, property, key) !== undefined,
    )
    if (taken.length > 0) return { outcome: 'taken', properties: taken.map(({ property }) => property) }

    states.change(className)
    const [version] = shared.count.get(1, className) as unknown as [number]
    statements.add.run(id, version, fingerprint, body, holes)
    for (const link of links) shared.addLink.run(link.className, link.id, className, link.property, id)
    for (const { property, key } of unique) shared.addUnique.run(className, property, key, id)
    return { outcome: 'added', version }
  }

  function remove(className: string, id: string, expected: readonly number[] | undefined): Removed {
    const statements = classOf(className)
    const row = statements.find.get(id) as unknown as Row | undefined
    if (row === undefined) return { outcome: 'missing' }
    const { version } = toMember(row)
    if (expected !== undefined && !expected.includes(version)) return { outcome: 'changed', version }
    const from = shared.linksTo.all(className, id, className, id, NAMED) as unknown as [string, string][]
    if (from.length > 0)
      return { outcome: 'linked', from: from.map(([name, source]) => ({ className: name, id: source })) }

    states.change(className)
    statements.remove.run(id)
    shared.removeLinksOf.run(className, id)
    shared.removeUniqueOf.run(className, id)
    shared.count.get(-1, className)
    return { outcome: 'removed' }
  }

  function exists({ className, id }: Link): boolean {
    return classOf(className).find.get(id) !== undefined
  }
}

type Row = [id: string, version: number, fingerprint: number, body: string, holes: string]

const toMember = ([id, version, fingerprint, body, holes]: Row): StoredMember => ({
  id,
  version,
  fingerprint,
  body,
  holes,
})

/** The table of a class, made at the first start with an API file that has it. */
function tableOf(db: DatabaseSync, className: string): string {
  const known = db.prepare('SELECT id FROM classes WHERE name = ?')
  const found = known.get(className)
  if (found !== undefined) return `members_${found.id}`
  db.exec('BEGIN IMMEDIATE')
  try {
    db.prepare('INSERT INTO classes (name, total, version) VALUES (?, 0, 0) ON CONFLICT DO NOTHING').run(
      className,
    )
    const table = `members_${known.get(className)?.id}`
    db.exec(createMemberTable(table))
    db.exec('COMMIT')
    return table
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

interface ClassStatements {
  readonly find: StatementSync
  readonly list: StatementSync
  readonly add: StatementSync
  readonly remove: StatementSync
}

function prepareClass(db: DatabaseSync, table: string): ClassStatements {
  // The sequence stays in the database: every column costs a page of twenty about 3 µs.
  const columns = 'id, version, fingerprint, body, holes'
  return {
    find: arrays(db, `SELECT ${columns} FROM ${table} WHERE id = ?`),
    // The plus: SQLite plans anew for each value of a bare LIMIT ?, which costs a third of the query.
    list: arrays(db, `SELECT ${columns} FROM ${table} ORDER BY sequence LIMIT +? OFFSET +?`),
    add: arrays(db, `INSERT INTO ${table} (id, version, fingerprint, body, holes) VALUES (?, ?, ?, ?, ?)`),
    remove: arrays(db, `DELETE FROM ${table} WHERE id = ?`),
  }
}

function prepareShared(db: DatabaseSync) {
  return {
    total: arrays(db, 'SELECT total FROM classes WHERE name = ?'),
    /** Every change of a class takes a new version number, removals included. */
    count: arrays(
      db,
      'UPDATE classes SET total = total + ?, version = version + 1 WHERE name = ? RETURNING version',
    ),
    owner: arrays(db, 'SELECT id FROM unique_values WHERE class = ? AND property = ? AND key = ?'),
    addUnique: arrays(db, 'INSERT INTO unique_values VALUES (?, ?, ?, ?)'),
    removeUniqueOf: arrays(db, 'DELETE FROM unique_values WHERE class = ? AND id = ?'),
    addLink: arrays(
      db,
      `INSERT INTO links (to_class, to_id, from_class, property, from_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    /** A member's links to itself do not keep it. */
    linksTo: arrays(
      db,
      `SELECT DISTINCT from_class, from_id FROM links
       WHERE to_class = ? AND to_id = ? AND NOT (from_class = ? AND from_id = ?) LIMIT +?`,
    ),
    removeLinksOf: arrays(db, 'DELETE FROM links WHERE from_class = ? AND from_id = ?'),
  }
}

/** Rows as arrays: half the price of objects on a page of twenty. */
function arrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
