import { DatabaseSync } from 'node:sqlite'
import type { Link } from '../store/index.ts'
import type { MemberText } from './ndjson.ts'

/**
 * Members that cannot be added yet, since they link to members that are not there yet. They may be as many as the file
 * has, so they wait on disk: in a temporary database, which SQLite makes for an empty name and removes by itself,
 * however the process ends.
 */
export interface DeferredMembers {
  add(text: MemberText, className: string, id: string, dangling: readonly Link[]): void
  count(stage: Stage): number
  /** In the order of the file, behind the one with this number. */
  page(stage: Stage, after: number): Entry[]
  linksOf(entry: Entry): Link[]
  /** What was found missing at the last attempt. */
  setLinks(entry: Entry, dangling: readonly Link[]): void
  move(entry: Entry, stage: Stage): void
  remove(entry: Entry): void
  /** Links of deferred members to members that are not deferred: those are stored by now, or nowhere. */
  linksOutward(after: number): Outward[]
  /** The members with these numbers will never be added. */
  markUnresolvable(numbers: readonly number[]): void
  /** Nor will those that link to such a member, nor those that link to these. */
  spreadUnresolvable(): void
  /** Of one that is unresolvable: its links to what will not be there. */
  unresolvableLinksOf(entry: Entry): Link[]
  /** The line of what a link leads to, where that is unresolvable. */
  unresolvableLineOf(link: Link): number | undefined
  close(): void
}

/** `partial`: added, but without some of its links; `found`: it was there, and may lack some of its links. */
export type Stage = 'waiting' | 'partial' | 'found' | 'unresolvable'

/** The text of a member, but for its context. */
export interface Entry {
  readonly number: number
  readonly line: number
  readonly position: number
  readonly text: string
}

export interface Outward {
  readonly number: number
  readonly link: Link
  /** To go on behind it. */
  readonly row: number
}

const PAGE = 500
/** Members may have a megabyte each. */
const PAGE_CHARACTERS = 4 * 1024 * 1024

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  CREATE TABLE members (
    number INTEGER PRIMARY KEY, line INTEGER, position INTEGER, text TEXT, class TEXT, id TEXT,
    stage TEXT DEFAULT 'waiting');
  CREATE INDEX members_by_id ON members (class, id);
  CREATE INDEX members_by_stage ON members (stage, number);
  CREATE TABLE links (row INTEGER PRIMARY KEY, number INTEGER, property TEXT, class TEXT, id TEXT);
  CREATE INDEX links_by_member ON links (number);
  CREATE INDEX links_by_target ON links (class, id);
`

export function openDeferredMembers(): DeferredMembers {
  const db = new DatabaseSync('')
  db.exec(SCHEMA)
  const insert = db.prepare('INSERT INTO members (line, position, text, class, id) VALUES (?, ?, ?, ?, ?)')
  const insertLink = db.prepare('INSERT INTO links (number, property, class, id) VALUES (?, ?, ?, ?)')
  const removeLinks = db.prepare('DELETE FROM links WHERE number = ?')
  const removeMember = db.prepare('DELETE FROM members WHERE number = ?')
  const move = db.prepare('UPDATE members SET stage = ? WHERE number = ?')
  const count = db.prepare('SELECT count(*) AS count FROM members WHERE stage = ?')
  const page = db.prepare(
    `SELECT number, line, position, text FROM members
     WHERE stage = ? AND number > ? ORDER BY number LIMIT ${PAGE}`,
  )
  const linksOf = db.prepare(
    'SELECT property, class AS className, id FROM links WHERE number = ? ORDER BY row',
  )
  const unresolvableLinksOf = db.prepare(
    `SELECT property, class AS className, id FROM links WHERE number = ? AND NOT EXISTS (
       SELECT 1 FROM members WHERE members.class = links.class AND members.id = links.id AND stage <> 'unresolvable')
     ORDER BY row`,
  )
  const unresolvableLineOf = db.prepare(
    "SELECT line FROM members WHERE class = ? AND id = ? AND stage = 'unresolvable' ORDER BY number LIMIT 1",
  )
  const linksOutward = db.prepare(
    `SELECT row, number, property, class AS className, id FROM links
     WHERE row > ? AND NOT EXISTS (
       SELECT 1 FROM members WHERE members.class = links.class AND members.id = links.id AND stage = 'waiting')
     ORDER BY row LIMIT ${PAGE}`,
  )
  const spread = db.prepare(
    `WITH RECURSIVE unresolvable (number) AS (
       SELECT number FROM members WHERE stage = 'unresolvable'
       UNION
       SELECT links.number FROM unresolvable JOIN members USING (number)
         JOIN links ON links.class = members.class AND links.id = members.id)
     UPDATE members SET stage = 'unresolvable' WHERE number IN unresolvable`,
  )

  function addLinks(number: number | bigint, links: readonly Link[]): void {
    for (const { property, className, id } of links) insertLink.run(number, property, className, id)
  }

  return {
    add({ line, position, text }, className, id, dangling) {
      addLinks(insert.run(line, position, text, className, id).lastInsertRowid, dangling)
    },
    count: (stage) => count.get(stage)?.count as number,
    page(stage, after) {
      const entries: Entry[] = []
      let characters = 0
      for (const row of page.iterate(stage, after)) {
        const entry = row as unknown as Entry
        entries.push(entry)
        characters += entry.text.length
        if (characters >= PAGE_CHARACTERS) break
      }
      return entries
    },
    linksOf: ({ number }) => linksOf.all(number) as unknown as Link[],
    setLinks({ number }, dangling) {
      removeLinks.run(number)
      addLinks(number, dangling)
    },
    move: ({ number }, stage) => {
      move.run(stage, number)
    },
    remove({ number }) {
      removeLinks.run(number)
      removeMember.run(number)
    },
    linksOutward: (after) =>
      linksOutward
        .all(after)
        .map(({ row, number, ...link }) => ({ row, number, link }) as unknown as Outward),
    markUnresolvable(numbers) {
      for (const number of numbers) move.run('unresolvable', number)
    },
    spreadUnresolvable: () => {
      spread.run()
    },
    unresolvableLinksOf: ({ number }) => unresolvableLinksOf.all(number) as unknown as Link[],
    unresolvableLineOf: ({ className, id }) =>
      unresolvableLineOf.get(className, id)?.line as number | undefined,
    close: () => db.close(),
  }
}
