import { DatabaseSync } from 'node:sqlite'
import type { Link } from '../store/store.ts'
import type { Piece } from './cutter.ts'

/**
 * Members that cannot be added yet, since they link to members that are not there yet. They may be as many as the file
 * has, so they wait on disk: in a temporary database, which SQLite makes for an empty name and removes by itself,
 * however the process ends.
 */
export interface Aside {
  add(piece: Piece, className: string, id: string, dangling: readonly Link[]): void
  count(stage: Stage): number
  /** In the order of the file, behind the one with this number. */
  page(stage: Stage, after: number): Entry[]
  linksOf(entry: Entry): Link[]
  /** What was found missing at the last attempt. */
  setLinks(entry: Entry, dangling: readonly Link[]): void
  move(entry: Entry, stage: Stage): void
  drop(entry: Entry): void
  /** Links of members that wait to what does not wait itself: it is there by now, or nowhere. */
  leadingOut(after: number): Outward[]
  /** The members with these numbers will never be added. */
  markLost(numbers: readonly number[]): void
  /** Nor will those that link to what is lost, nor those that link to these. */
  spreadLoss(): void
  /** Of what is lost: its links to what will not be there. */
  lostLinksOf(entry: Entry): Link[]
  /** The line of what a link leads to, where that is lost. */
  lostLineOf(link: Link): number | undefined
  close(): void
}

/** `partial`: added, but without some of its links; `found`: it was there, and may lack some of its links. */
export type Stage = 'waiting' | 'partial' | 'found' | 'lost'

/** A piece of the data, but for its context. */
export interface Entry {
  readonly number: number
  readonly line: number
  readonly place: number
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
    number INTEGER PRIMARY KEY, line INTEGER, place INTEGER, text TEXT, class TEXT, id TEXT,
    stage TEXT DEFAULT 'waiting');
  CREATE INDEX members_by_id ON members (class, id);
  CREATE INDEX members_by_stage ON members (stage, number);
  CREATE TABLE links (row INTEGER PRIMARY KEY, number INTEGER, property TEXT, class TEXT, id TEXT);
  CREATE INDEX links_by_member ON links (number);
  CREATE INDEX links_by_target ON links (class, id);
`

export function openAside(): Aside {
  const db = new DatabaseSync('')
  db.exec(SCHEMA)
  const insert = db.prepare('INSERT INTO members (line, place, text, class, id) VALUES (?, ?, ?, ?, ?)')
  const insertLink = db.prepare('INSERT INTO links (number, property, class, id) VALUES (?, ?, ?, ?)')
  const removeLinks = db.prepare('DELETE FROM links WHERE number = ?')
  const remove = db.prepare('DELETE FROM members WHERE number = ?')
  const move = db.prepare('UPDATE members SET stage = ? WHERE number = ?')
  const count = db.prepare('SELECT count(*) AS count FROM members WHERE stage = ?')
  const page = db.prepare(
    `SELECT number, line, place, text FROM members
     WHERE stage = ? AND number > ? ORDER BY number LIMIT ${PAGE}`,
  )
  const linksOf = db.prepare(
    'SELECT property, class AS className, id FROM links WHERE number = ? ORDER BY row',
  )
  const lostLinksOf = db.prepare(
    `SELECT property, class AS className, id FROM links WHERE number = ? AND NOT EXISTS (
       SELECT 1 FROM members WHERE members.class = links.class AND members.id = links.id AND stage <> 'lost')
     ORDER BY row`,
  )
  const lostLineOf = db.prepare(
    "SELECT line FROM members WHERE class = ? AND id = ? AND stage = 'lost' ORDER BY number LIMIT 1",
  )
  const leadingOut = db.prepare(
    `SELECT row, number, property, class AS className, id FROM links
     WHERE row > ? AND NOT EXISTS (
       SELECT 1 FROM members WHERE members.class = links.class AND members.id = links.id AND stage = 'waiting')
     ORDER BY row LIMIT ${PAGE}`,
  )
  const linkedFromLost = db.prepare(
    `WITH RECURSIVE lost (number) AS (
       SELECT number FROM members WHERE stage = 'lost'
       UNION
       SELECT links.number FROM lost JOIN members USING (number)
         JOIN links ON links.class = members.class AND links.id = members.id)
     UPDATE members SET stage = 'lost' WHERE number IN lost`,
  )

  function addLinks(number: number | bigint, links: readonly Link[]): void {
    for (const { property, className, id } of links) insertLink.run(number, property, className, id)
  }

  return {
    add({ line, place, text }, className, id, dangling) {
      addLinks(insert.run(line, place, text, className, id).lastInsertRowid, dangling)
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
    drop({ number }) {
      removeLinks.run(number)
      remove.run(number)
    },
    leadingOut: (after) =>
      leadingOut.all(after).map(({ row, number, ...link }) => ({ row, number, link }) as unknown as Outward),
    markLost(numbers) {
      for (const number of numbers) move.run('lost', number)
    },
    spreadLoss: () => {
      linkedFromLost.run()
    },
    lostLinksOf: ({ number }) => lostLinksOf.all(number) as unknown as Link[],
    lostLineOf: ({ className, id }) => lostLineOf.get(className, id)?.line as number | undefined,
    close: () => db.close(),
  }
}
