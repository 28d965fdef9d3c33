// Members that link to later ones wait on disk, and are added in an order that their links allow.
import { DatabaseSync } from 'node:sqlite'
import type { ProblemData } from '../problem.ts'
import { type Added, type Link, type MemberStore, storeViolations } from '../store/index.ts'
import { addMembers, canDeferLinks, type Results, reconcileAll, retryWhileLocked } from './add-members.ts'
import type { ReadMember } from './member-reader.ts'
import type { MemberText } from './ndjson.ts'
import { importViolation } from './problems.ts'

/** `partial`: added, but without some of its links; `found`: it was there, and may lack some of its links. */
type Stage = 'waiting' | 'partial' | 'found' | 'unresolvable'

interface Numbered {
  readonly number: number
}

/** The text of a member, but for its context. */
type DeferredText = Omit<MemberText, 'context'> & Numbered

type Deferred = ReadMember & Numbered

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

/**
 * Any number of members may have to wait: they are in a temporary database, which SQLite creates for an empty name and
 * removes by itself, however the process ends.
 */
export function openDeferred() {
  const db = new DatabaseSync('')
  db.exec(SCHEMA)
  const sql = db.createTagStore()

  function addLinks(number: number | bigint, links: readonly Link[]): void {
    for (const { property, className, id } of links)
      sql.run`INSERT INTO links (number, property, class, id) VALUES (${number}, ${property}, ${className}, ${id})`
  }

  return {
    add({ text: { line, position, text }, cls, id }: ReadMember, dangling: readonly Link[]): void {
      const added = sql.run`INSERT INTO members (line, position, text, class, id)
        VALUES (${line}, ${position}, ${text}, ${cls.name}, ${id})`
      addLinks(added.lastInsertRowid, dangling)
    },
    countWaiting: () =>
      sql.get`SELECT count(*) AS count FROM members WHERE stage = 'waiting'`?.count as number,
    /** A page in the order of the file, after the member with this number. */
    page(stage: Stage, after: number): DeferredText[] {
      const texts: DeferredText[] = []
      let characters = 0
      for (const row of sql.iterate`SELECT number, line, position, text FROM members
          WHERE stage = ${stage} AND number > ${after} ORDER BY number LIMIT ${PAGE}`) {
        const text = row as unknown as DeferredText
        texts.push(text)
        characters += text.text.length
        if (characters >= PAGE_CHARACTERS) break
      }
      return texts
    },
    linksOf: ({ number }: Numbered) =>
      sql.all`SELECT property, class AS className, id FROM links
        WHERE number = ${number} ORDER BY row` as unknown as Link[],
    /** Replaces the links that were dangling at the last attempt. */
    setLinks({ number }: Numbered, dangling: readonly Link[]): void {
      sql.run`DELETE FROM links WHERE number = ${number}`
      addLinks(number, dangling)
    },
    move({ number }: Numbered, stage: Stage): void {
      sql.run`UPDATE members SET stage = ${stage} WHERE number = ${number}`
    },
    remove({ number }: Numbered): void {
      sql.run`DELETE FROM links WHERE number = ${number}`
      sql.run`DELETE FROM members WHERE number = ${number}`
    },
    /** Links to members that are not deferred: those are stored by now, or do not exist. */
    linksOutward: (after: number) =>
      sql.all`SELECT row, number, property, class AS className, id FROM links
        WHERE row > ${after} AND NOT EXISTS (SELECT 1 FROM members
          WHERE members.class = links.class AND members.id = links.id AND stage = 'waiting')
        ORDER BY row LIMIT ${PAGE}` as unknown as (Link & Numbered & { readonly row: number })[],
    /** Marks all that links, directly or not, to a member that will never be added. */
    spreadUnresolvable(): void {
      sql.run`WITH RECURSIVE unresolvable (number) AS (
          SELECT number FROM members WHERE stage = 'unresolvable'
          UNION
          SELECT links.number FROM unresolvable JOIN members USING (number)
            JOIN links ON links.class = members.class AND links.id = members.id)
        UPDATE members SET stage = 'unresolvable' WHERE number IN unresolvable`
    },
    markWaitingUnresolvable(): void {
      sql.run`UPDATE members SET stage = 'unresolvable' WHERE stage = 'waiting'`
    },
    /** The links of an unresolvable member to what will not be there. */
    unresolvableLinksOf: ({ number }: Numbered) =>
      sql.all`SELECT property, class AS className, id FROM links
        WHERE number = ${number} AND NOT EXISTS (SELECT 1 FROM members
          WHERE members.class = links.class AND members.id = links.id AND stage <> 'unresolvable')
        ORDER BY row` as unknown as Link[],
    /** The line of the target of a link, where that is unresolvable. */
    unresolvableLineOf: ({ className, id }: Link) =>
      sql.get`SELECT line FROM members WHERE class = ${className} AND id = ${id} AND stage = 'unresolvable'
        ORDER BY number LIMIT 1`?.line as number | undefined,
    close: () => db.close(),
  }
}

/** The parts that add members. */
export interface Adding {
  readonly store: MemberStore
  readonly deferred: ReturnType<typeof openDeferred>
  readonly results: Results
  readonly progress: () => void
}

type Work = (members: readonly Deferred[]) => Promise<void>

/** Adds the deferred members, once all others are there. */
export async function addDeferred(
  { store, deferred, results, progress }: Adding,
  readMember: (text: DeferredText) => Promise<ReadMember>,
): Promise<void> {
  // A chain of a million links would need a million rounds: where a round adds little, links are set later instead.
  await inRounds(addWaiting, (left) => left / 10)
  await markUnresolvable()
  await eachPage('unresolvable', refuseAll)
  await inRounds(addWithoutLinks, () => 1)
  // What is left has circular links that are required.
  deferred.markWaitingUnresolvable()
  await eachPage('unresolvable', refuseAll)
  await eachPage('partial', (members) => setLinks(members, 'partial'))
  await eachPage('found', (members) => setLinks(members, 'found'))

  /** Repeats over all that waits, until a round has added fewer than `least` members. */
  async function inRounds(work: Work, least: (left: number) => number): Promise<void> {
    for (let left = deferred.countWaiting(); left > 0; ) {
      await eachPage('waiting', work)
      const before = left
      left = deferred.countWaiting()
      if (before - left < least(before)) return
    }
  }

  async function eachPage(stage: Stage, work: Work): Promise<void> {
    let texts = deferred.page(stage, 0)
    while (texts.length > 0) {
      const members: Deferred[] = []
      for (const text of texts) members.push({ ...(await readMember(text)), number: text.number })
      await work(members)
      progress()
      texts = deferred.page(stage, texts.at(-1)?.number ?? 0)
    }
  }

  async function addWaiting(members: readonly Deferred[]): Promise<void> {
    for (const { read, ...one } of await addMembers(store, members)) {
      if (one.outcome === 'dangling') deferred.setLinks(read, one.links)
      else {
        results.record(read, one)
        deferred.remove(read)
      }
    }
  }

  /** Marks what links, directly or not, to a member that is neither stored nor in the data. */
  async function markUnresolvable(): Promise<void> {
    let outward = deferred.linksOutward(0)
    while (outward.length > 0) {
      for (const link of outward) if (await isDangling(link)) deferred.move(link, 'unresolvable')
      outward = deferred.linksOutward(outward.at(-1)?.row ?? 0)
    }
    deferred.spreadUnresolvable()
  }

  async function isDangling({ className, id }: Link): Promise<boolean> {
    return (await store.find(className, id)) === undefined
  }

  async function refuseAll(members: readonly Deferred[]): Promise<void> {
    for (const read of members) {
      const dangling: Link[] = []
      for (const link of deferred.unresolvableLinksOf(read)) if (await isDangling(link)) dangling.push(link)
      const problems = results.problemsOf(dangling, deferred.unresolvableLineOf)
      results.record(read, { outcome: 'refused', problems })
      deferred.remove(read)
    }
  }

  /** Adds members with circular links, without those of their links that can be deferred. */
  async function addWithoutLinks(members: readonly Deferred[]): Promise<void> {
    const incomplete = members.map((read) => ({
      className: read.cls.name,
      member: read.without(deferredProperties(read, deferred.linksOf(read))),
    }))
    const added = await retryWhileLocked(() => store.addAll(incomplete))
    for (const [index, read] of members.entries()) {
      const one = added[index] as Added
      if (one.outcome === 'exists') deferred.move(read, 'found')
      else if (one.outcome === 'added') {
        results.record(read, one)
        deferred.move(read, 'partial')
      } else if (one.taken.length > 0) {
        results.record(read, { outcome: 'refused', problems: storeViolations(one) })
        deferred.remove(read)
      }
    }
  }

  async function setLinks(members: readonly Deferred[], stage: 'partial' | 'found'): Promise<void> {
    for (const { read, ...one } of await reconcileAll(store, members)) {
      if (one.outcome === 'there') {
        if (stage === 'found') results.record(read, one)
      } else {
        if (stage === 'partial') results.tally.added--
        results.refuse(read.text.line, one.outcome === 'refused' ? one.problems : lacksLinks(one.links))
      }
      deferred.remove(read)
    }
  }

  /** The target of a link was refused after the member was added. */
  function lacksLinks(links: readonly Link[]): ProblemData[] {
    return results
      .problemsOf(links)
      .map((problem) => importViolation('AddedWithoutLink', problem.at.property ?? '', { problem }))
  }
}

function deferredProperties(read: ReadMember, links: readonly Link[]): ReadonlySet<string> {
  const names = new Set(links.map(({ property }) => property.split('/', 1)[0]))
  const late = read.cls.properties.filter(
    (property) => names.has(property.name) && canDeferLinks(read, property),
  )
  return new Set(late.map(({ name }) => name))
}
