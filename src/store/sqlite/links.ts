import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type LinkerRow, LOOKED_AT, linkersIn, linkName } from '../links.ts'
import type { Link, Linker } from '../store.ts'
import { arrays } from './connection.ts'

/** The links between members. */
export interface LinkRows {
  hasTarget(link: Link): boolean
  /** The links of a member. */
  of(className: string, id: string): Link[]
  add(className: string, id: string, links: readonly Link[]): void
  /** Writes nothing where they are the same. */
  replace(className: string, id: string, links: readonly Link[]): void
  remove(className: string, id: string): void
  /** Which members link to a member, other than itself: its links to itself do not keep it. */
  linkers(className: string, id: string): Linker[]
}

/** `classId`: the number of a class, undefined where the database has none of this name. */
export function createLinkRows(db: DatabaseSync, classId: (name: string) => number | undefined): LinkRows {
  const targets = new Map<string, StatementSync | undefined>()
  const insert = arrays(
    db,
    'INSERT INTO links (to_class, to_id, from_class, property, from_id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const ofSource = arrays(
    db,
    'SELECT to_class, to_id, property FROM links WHERE from_class = ? AND from_id = ?',
  )
  const removeOf = arrays(db, 'DELETE FROM links WHERE from_class = ? AND from_id = ?')
  const linkers = arrays(
    db,
    `SELECT from_class, from_id, property FROM links
     WHERE to_class = ? AND to_id = ? AND NOT (from_class = ? AND from_id = ?) LIMIT ${LOOKED_AT}`,
  )

  function targetOf(className: string): StatementSync | undefined {
    if (!targets.has(className)) {
      const id = classId(className)
      targets.set(
        className,
        id === undefined ? undefined : arrays(db, `SELECT 1 FROM members_${id} WHERE id = ?`),
      )
    }
    return targets.get(className)
  }

  function add(className: string, id: string, links: readonly Link[]): void {
    for (const link of links) insert.run(link.className, link.id, className, link.property, id)
  }

  function of(className: string, id: string): Link[] {
    const stored = ofSource.all(className, id) as unknown as [string, string, string][]
    return stored.map(([toClass, toId, property]) => ({ property, className: toClass, id: toId }))
  }

  return {
    hasTarget: (link) => targetOf(link.className)?.get(link.id) !== undefined,
    of,
    add,
    replace(className, id, links) {
      const before = of(className, id).map(linkName)
      const after = new Set(links.map(linkName))
      if (before.length === after.size && before.every((link) => after.has(link))) return
      removeOf.run(className, id)
      add(className, id, links)
    },
    remove(className, id) {
      removeOf.run(className, id)
    },
    linkers: (className, id) =>
      linkersIn(linkers.all(className, id, className, id) as unknown as LinkerRow[]),
  }
}
