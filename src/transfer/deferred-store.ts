import { DatabaseSync } from 'node:sqlite'
import type { Link } from '../members/index.ts'
import type { KnownKeys } from './csv/unique-links.ts'
import type { ReadMember } from './member-reader.ts'
import type { DataPlace, MemberText } from './ndjson.ts'

/** `partial`: added, but without some of its links; `found`: existed already, and may lack some of its links. */
export type Stage = 'waiting' | 'partial' | 'found' | 'unresolvable'

/** The number of a deferred member, in the order of the file. */
export interface DeferredKey {
  readonly number: number
}

/** The text of a member, without its context. */
export type DeferredText = Omit<MemberText, 'context'> & DeferredKey

/** A link of a deferred member. */
type DeferredLink = Link & DeferredKey & { readonly row: number }

const PAGE = 500
/** Members may have a megabyte each. */
const PAGE_CHARACTERS = 4 * 1024 * 1024

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  CREATE TABLE members (
    number INTEGER PRIMARY KEY, line INTEGER, position INTEGER, row TEXT, text TEXT, class TEXT, id TEXT,
    stage TEXT DEFAULT 'waiting');
  CREATE INDEX members_by_id ON members (class, id);
  CREATE INDEX members_by_stage ON members (stage, number);
  CREATE TABLE keys (class TEXT, property TEXT, key ANY, id TEXT, PRIMARY KEY (class, property, key)) WITHOUT ROWID;
  CREATE TABLE links (row INTEGER PRIMARY KEY, number INTEGER, property TEXT, class TEXT, id TEXT);
  CREATE INDEX links_by_member ON links (number);
  CREATE INDEX links_by_target ON links (class, id);
`

/** The members that wait for others. */
export interface DeferredStore {
  readonly keys: KnownKeys
  add(member: ReadMember, dangling: readonly Link[]): void
  countWaiting(): number
  /** A page in the order of the file, after the member with this number. */
  page(stage: Stage, after: number): DeferredText[]
  linksOf(member: DeferredKey): readonly Link[]
  /** Replaces the links that were dangling at the last attempt. */
  setLinks(member: DeferredKey, dangling: readonly Link[]): void
  move(member: DeferredKey, stage: Stage): void
  remove(member: DeferredKey): void
  /** Links to members that are not deferred: those are stored by now, or do not exist. */
  linksOutward(after: number): readonly DeferredLink[]
  /** Marks all members that link, directly or not, to one that will never be added. */
  spreadUnresolvable(): void
  markWaitingUnresolvable(): void
  /** The links of an unresolvable member to targets that will not exist. */
  unresolvableLinksOf(member: DeferredKey): readonly Link[]
  /** The place of the target of a link, if that is unresolvable. */
  unresolvablePlaceOf(link: Link): DataPlace | undefined
  close(): void
}

/**
 * Any number of members may have to wait, so they are in a temporary database, which SQLite creates for an empty name and
 * removes by itself, however the process ends.
 */
export function openDeferred(): DeferredStore {
  const db = new DatabaseSync('')
  db.exec(SCHEMA)
  const sql = db.createTagStore()

  function addLinks(number: number | bigint, links: readonly Link[]): void {
    for (const { property, className, id } of links)
      sql.run`INSERT INTO links (number, property, class, id) VALUES (${number}, ${property}, ${className}, ${id})`
  }

  return {
    keys: {
      add(className, property, key, id) {
        sql.run`INSERT OR IGNORE INTO keys VALUES (${className}, ${property}, ${key}, ${id})`
      },
      find: (className, property, key) =>
        sql.get`SELECT id FROM keys WHERE class = ${className} AND property = ${property} AND key = ${key}`
          ?.id as string | undefined,
    },
    add({ text: { line, position, row = null, text }, cls, id }, dangling) {
      const added = sql.run`INSERT INTO members (line, position, row, text, class, id)
        VALUES (${line}, ${position}, ${row}, ${text}, ${cls.name}, ${id})`
      addLinks(added.lastInsertRowid, dangling)
    },
    countWaiting: () =>
      sql.get`SELECT count(*) AS count FROM members WHERE stage = 'waiting'`?.count as number,
    page(stage, after) {
      const texts: DeferredText[] = []
      let characters = 0
      for (const row of sql.iterate`SELECT number, line, position, row, text FROM members
          WHERE stage = ${stage} AND number > ${after} ORDER BY number LIMIT ${PAGE}`) {
        const text = { ...row, row: row.row ?? undefined } as unknown as DeferredText
        texts.push(text)
        characters += text.text.length
        if (characters >= PAGE_CHARACTERS) break
      }
      return texts
    },
    linksOf: ({ number }) =>
      sql.all`SELECT property, class AS className, id FROM links
        WHERE number = ${number} ORDER BY row` as unknown as Link[],
    setLinks({ number }, dangling) {
      sql.run`DELETE FROM links WHERE number = ${number}`
      addLinks(number, dangling)
    },
    move({ number }, stage) {
      sql.run`UPDATE members SET stage = ${stage} WHERE number = ${number}`
    },
    remove({ number }) {
      sql.run`DELETE FROM links WHERE number = ${number}`
      sql.run`DELETE FROM members WHERE number = ${number}`
    },
    linksOutward: (after) =>
      sql.all`SELECT row, number, property, class AS className, id FROM links
        WHERE row > ${after} AND NOT EXISTS (SELECT 1 FROM members
          WHERE members.class = links.class AND members.id = links.id AND stage = 'waiting')
        ORDER BY row LIMIT ${PAGE}` as unknown as DeferredLink[],
    spreadUnresolvable() {
      sql.run`WITH RECURSIVE unresolvable (number) AS (
          SELECT number FROM members WHERE stage = 'unresolvable'
          UNION
          SELECT links.number FROM unresolvable JOIN members USING (number)
            JOIN links ON links.class = members.class AND links.id = members.id)
        UPDATE members SET stage = 'unresolvable' WHERE number IN unresolvable`
    },
    markWaitingUnresolvable() {
      sql.run`UPDATE members SET stage = 'unresolvable' WHERE stage = 'waiting'`
    },
    unresolvableLinksOf: ({ number }) =>
      sql.all`SELECT property, class AS className, id FROM links
        WHERE number = ${number} AND NOT EXISTS (SELECT 1 FROM members
          WHERE members.class = links.class AND members.id = links.id AND stage <> 'unresolvable')
        ORDER BY row` as unknown as Link[],
    unresolvablePlaceOf({ className, id }) {
      const found = sql.get`SELECT line, row FROM members
        WHERE class = ${className} AND id = ${id} AND stage = 'unresolvable' ORDER BY number LIMIT 1`
      return found && ({ line: found.line, row: found.row ?? undefined } as DataPlace)
    },
    close: () => db.close(),
  }
}
