import type { DatabaseSync } from 'node:sqlite'
import { type ArrayStatement, arrays } from '../../database/sqlite/connection.ts'
import { type Link, type Linked, type LinkSourceRow, linkedBy, linkName, MAX_LINKS_READ } from '../member.ts'
import { type FindOwner, type SqliteTables, tablesOf } from './tables.ts'

/** `stored`: the numbers of all classes, by their names. */
function createOwnerLookup(db: DatabaseSync, stored: ReadonlyMap<string, number>): FindOwner {
  const targets = new Map<string, ArrayStatement>()
  const prepare = ({ members, keys }: SqliteTables) =>
    arrays(
      db,
      `SELECT k.owner FROM ${members} m CROSS JOIN ${keys} k ON k.sequence = m.sequence WHERE m.id = ?`,
    )
  return (className, id) => {
    const number = stored.get(className)
    if (number === undefined) return undefined
    const known = targets.get(className) ?? prepare(tablesOf(number))
    targets.set(className, known)
    return known.get<[number | null]>(id)?.[0]
  }
}

export interface LinkRows {
  /** Whether the target exists, for the user who writes the member with this id. */
  hasTarget(link: Link, fromClass: string, fromId: string): boolean
  add(className: string, id: string, links: readonly Link[]): void
  /** Writes nothing if the links are the same. */
  replace(className: string, id: string, links: readonly Link[]): void
  remove(className: string, id: string): void
  /** The members that link to a member, without itself: links to itself do not prevent its removal. */
  to(className: string, id: string): Linked
  readonly ownerOf: FindOwner
}

/** `stored`: the numbers of all classes, by their names. */
export function createLinkRows(db: DatabaseSync, stored: ReadonlyMap<string, number>): LinkRows {
  const sql = (text: string) => arrays(db, text)
  const ownerOf = createOwnerLookup(db, stored)
  const ofMember = sql(`SELECT 1 FROM links
    WHERE to_class = ? AND to_id = ? AND from_class = ? AND property = ? AND from_id = ?`)
  const insert = sql(`INSERT INTO links (to_class, to_id, from_class, property, from_id)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const ofSource = sql('SELECT to_class, to_id, property FROM links WHERE from_class = ? AND from_id = ?')
  const removeOf = sql('DELETE FROM links WHERE from_class = ? AND from_id = ?')
  const linkers = sql(`SELECT from_class, from_id, property FROM links
    WHERE to_class = ? AND to_id = ? AND NOT (from_class = ? AND from_id = ?) LIMIT ${MAX_LINKS_READ}`)

  function add(className: string, id: string, links: readonly Link[]): void {
    for (const link of links) insert.run(link.className, link.id, className, link.property, id)
  }

  const hasTarget: LinkRows['hasTarget'] = ({ className, id, property, targetOwner }, fromClass, fromId) => {
    const owner = ownerOf(className, id)
    if (owner === undefined) return false
    if (targetOwner === undefined || owner === targetOwner) return true
    return ofMember.get(className, id, fromClass, property, fromId) !== undefined
  }

  return {
    hasTarget,
    ownerOf,
    add,
    replace(className, id, links) {
      const before = ofSource
        .all<[string, string, string]>(className, id)
        .map(([toClass, toId, property]) => linkName({ property, className: toClass, id: toId }))
      const after = new Set(links.map(linkName))
      if (before.length === after.size && before.every((link) => after.has(link))) return
      removeOf.run(className, id)
      add(className, id, links)
    },
    remove(className, id) {
      removeOf.run(className, id)
    },
    to: (className, id) =>
      linkedBy(
        linkers.all<LinkSourceRow>(className, id, className, id),
        (from, fromId) => ownerOf(from, fromId) ?? undefined,
      ),
  }
}
