import { DatabaseSync } from 'node:sqlite'
import type { Link } from '../store/index.ts'
import type { ReadMember } from './member-reader.ts'
import type { MemberText } from './ndjson.ts'

/** `partial`: added, but without some of its links; `found`: it was there, and may lack some of its links. */
export type Stage = 'waiting' | 'partial' | 'found' | 'unresolvable'

interface Numbered {
  readonly number: number
}

/** The text of a member, but for its context. */
export type DeferredText = Omit<MemberText, 'context'> & Numbered

/** A link of the deferred member with this number. */
interface Outward extends Link, Numbered {
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

export type DeferredMembers = ReturnType<typeof openDeferredMembers>

/**
 * Members that cannot be added yet, since they link to members that are not there yet. They may be as many as the file
 * has, so they wait on disk: in a temporary database, which SQLite makes for an empty name and removes by itself,
 * however the process ends.
 */
export function openDeferredMembers() {
  const db = new DatabaseSync('')
  db.exec(SCHEMA)
  const insert = db.prepare('INSERT INTO members (line, position, text, class, id) VALUES (?, ?, ?, ?, ?)')
  const insertLink = db.prepare('INSERT INTO links (number, property, class, id) VALUES (?, ?, ?, ?)')
  const removeLinks = db.prepare('DELETE FROM links WHERE number = ?')
  const removeMember = db.prepare('DELETE FROM members WHERE number = ?')
  const move = db.prepare('UPDATE members SET stage = ? WHERE number = ?')
  const count = db.prepare("SELECT count(*) AS count FROM members WHERE stage = 'waiting'")
  const giveUp = db.prepare("UPDATE members SET stage = 'unresolvable' WHERE stage = 'waiting'")
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
    add({ text: { line, position, text }, cls, id }: ReadMember, dangling: readonly Link[]): void {
      addLinks(insert.run(line, position, text, cls.name, id).lastInsertRowid, dangling)
    },
    countWaiting: () => count.get()?.count as number,
    /** In the order of the file, behind the one with this number. */
    page(stage: Stage, after: number): DeferredText[] {
      const texts: DeferredText[] = []
      let characters = 0
      for (const row of page.iterate(stage, after)) {
        const text = row as unknown as DeferredText
        texts.push(text)
        characters += text.text.length
        if (characters >= PAGE_CHARACTERS) break
      }
      return texts
    },
    linksOf: ({ number }: Numbered) => linksOf.all(number) as unknown as Link[],
    /** What was found missing at the last attempt. */
    setLinks({ number }: Numbered, dangling: readonly Link[]): void {
      removeLinks.run(number)
      addLinks(number, dangling)
    },
    move({ number }: Numbered, stage: Stage): void {
      move.run(stage, number)
    },
    remove({ number }: Numbered): void {
      removeLinks.run(number)
      removeMember.run(number)
    },
    /** Links of deferred members to members that are not deferred: those are stored by now, or nowhere. */
    linksOutward: (after: number) => linksOutward.all(after) as unknown as Outward[],
    /** What links to a member that will never be added will not be added either, nor what links to that. */
    spreadUnresolvable(): void {
      spread.run()
    },
    giveUpWaiting(): void {
      giveUp.run()
    },
    /** Of one that is unresolvable: its links to what will not be there. */
    unresolvableLinksOf: ({ number }: Numbered) => unresolvableLinksOf.all(number) as unknown as Link[],
    /** The line of what a link leads to, where that is unresolvable. */
    unresolvableLineOf: ({ className, id }: Link) =>
      unresolvableLineOf.get(className, id)?.line as number | undefined,
    close: () => db.close(),
  }
}
