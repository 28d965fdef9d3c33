import { refusal } from '../api/index.ts'
import { type HttpError, invalid } from '../errors.ts'
import type { Added, Link, MemberStore } from '../store/index.ts'
import type { Class } from '../vocabulary/index.ts'
import { addMembers, canComeLater, meetAll, retryWhileLocked } from './add-members.ts'
import type { DeferredMembers, DeferredText, Stage } from './deferred-members.ts'
import type { ReadMember } from './member-reader.ts'
import type { Results } from './results.ts'

/** What members are added with. */
export interface Adding {
  readonly store: MemberStore
  readonly deferred: DeferredMembers
  readonly results: Results
  readonly progress: () => void
}

interface Deferred extends ReadMember {
  readonly number: number
}

type Work = (members: readonly Deferred[]) => Promise<void>

/** Adds the members whose links lead to members that came later, in whatever order the links allow. */
export async function addDeferred(
  { store, deferred, results, progress }: Adding,
  readMember: (text: DeferredText) => Promise<ReadMember>,
): Promise<void> {
  // A chain of a million links has a million rounds: where rounds bring in little, links are set later instead.
  await inRounds(addWaiting, (left) => left / 10)
  await markUnresolvable()
  await eachPage('unresolvable', refuseAll)
  await inRounds(addWithoutLinks, () => 1)
  // What is left links in a circle of required links.
  deferred.giveUpWaiting()
  await eachPage('unresolvable', refuseAll)
  await eachPage('partial', (members) => setLinks(members, 'partial'))
  await eachPage('found', (members) => setLinks(members, 'found'))

  /** Over all that waits, until a round has brought in less than `least` of what was left. */
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

  /** What links to a member that is neither there nor in the data, and what links to that in turn. */
  async function markUnresolvable(): Promise<void> {
    let outward = deferred.linksOutward(0)
    while (outward.length > 0) {
      const unresolvable = []
      for (const link of outward) if (await isDangling(link)) unresolvable.push(link)
      for (const link of unresolvable) deferred.move(link, 'unresolvable')
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
      const error = results.errorFor(dangling, deferred.unresolvableLineOf)
      results.record(read, { outcome: 'refused', error })
      deferred.remove(read)
    }
  }

  /** Links that point in a circle: the members are added without those that are optional. */
  async function addWithoutLinks(members: readonly Deferred[]): Promise<void> {
    const incomplete = members.map((read) => ({
      className: read.cls.name,
      member: read.without(lateProperties(read.cls, deferred.linksOf(read))),
    }))
    const added = await retryWhileLocked(() => store.addAll(incomplete))
    for (const [index, read] of members.entries()) {
      const one = added[index] as Added
      if (one.outcome === 'exists') deferred.move(read, 'found')
      else if (one.outcome === 'added') {
        results.record(read, one)
        deferred.move(read, 'partial')
      } else if (one.taken.length > 0) {
        results.record(read, { outcome: 'refused', error: refusal(one) })
        deferred.remove(read)
      }
    }
  }

  async function setLinks(members: readonly Deferred[], stage: 'partial' | 'found'): Promise<void> {
    for (const { read, ...one } of await meetAll(store, members)) {
      if (one.outcome === 'there') {
        if (stage === 'found') results.record(read, one)
      } else {
        if (stage === 'partial') results.tally.added--
        results.refuse(read.text.line, one.outcome === 'refused' ? one.error : lacksLinks(one.links))
      }
      deferred.remove(read)
    }
  }

  /** A member that was to be linked to was refused after all. */
  function lacksLinks(links: readonly Link[]): HttpError {
    const { violations } = results.errorFor(links)
    const suffix = 'The member is there without this link.'
    return invalid(violations.map((one) => ({ ...one, message: `${one.message} ${suffix}` })))
  }
}

function lateProperties(cls: Class, links: readonly Link[]): ReadonlySet<string> {
  const names = new Set(links.map(({ property }) => property.split('/', 1)[0]))
  const late = cls.properties.filter((property) => names.has(property.name) && canComeLater(property))
  return new Set(late.map(({ name }) => name))
}
