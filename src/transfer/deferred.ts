// Members with links to later members wait on disk, and are added in an order that their links allow.
import { type AddOutcome, type Link, type MemberStore, storeViolations } from '../members/index.ts'
import type { ProblemData } from '../problem.ts'
import { topProperty } from '../vocabulary/index.ts'
import {
  addMembers,
  canDeferLinks,
  type ImportResults,
  reconcileAll,
  retryWhileLocked,
} from './add-members.ts'
import type { DeferredKey, DeferredStore, DeferredText, Stage } from './deferred-store.ts'
import type { ReadMember } from './member-reader.ts'
import { importViolation } from './problems.ts'

/** Dependencies of adding members. */
export interface AddDependencies {
  readonly store: MemberStore
  readonly deferred: DeferredStore
  readonly results: ImportResults
  readonly progress: () => void
}

type DeferredMember = ReadMember & DeferredKey

/** Works on the members of one page. */
type PageWork = (members: readonly DeferredMember[], adding: AddDependencies) => Promise<void>

/** Adds the deferred members, after all others. */
export async function addDeferred(
  adding: AddDependencies,
  readMember: (text: DeferredText) => Promise<ReadMember>,
): Promise<void> {
  const { deferred, progress } = adding
  // A chain of a million links would need a million rounds: if a round adds few members, links are set later instead.
  await inRounds(addWaiting, (left) => left / 10)
  await markUnresolvable(adding)
  await eachPage('unresolvable', refuseAll)
  await inRounds(addWithoutLinks, () => 1)
  // The remaining members have required links that form a circle.
  deferred.markWaitingUnresolvable()
  await eachPage('unresolvable', refuseAll)
  await eachPage('partial', (members) => setLinks(members, 'partial', adding))
  await eachPage('found', (members) => setLinks(members, 'found', adding))

  /** Repeats over all waiting members, until a round has added fewer than `least` members. */
  async function inRounds(work: PageWork, least: (left: number) => number): Promise<void> {
    for (let left = deferred.countWaiting(); left > 0; ) {
      await eachPage('waiting', work)
      const before = left
      left = deferred.countWaiting()
      if (before - left < least(before)) return
    }
  }

  async function eachPage(stage: Stage, work: PageWork): Promise<void> {
    let texts = deferred.page(stage, 0)
    while (texts.length > 0) {
      const members: DeferredMember[] = []
      for (const text of texts) members.push({ ...(await readMember(text)), number: text.number })
      await work(members, adding)
      progress()
      texts = deferred.page(stage, texts.at(-1)?.number ?? 0)
    }
  }
}

const addWaiting: PageWork = async (members, { store, deferred, results }) => {
  for (const { read, ...one } of await addMembers(store, members)) {
    if (one.outcome === 'dangling') deferred.setLinks(read, one.links)
    else {
      results.record(read, one)
      deferred.remove(read)
    }
  }
}

/** Marks members that link, directly or not, to one that is neither stored nor in the data. */
async function markUnresolvable({ store, deferred }: AddDependencies): Promise<void> {
  let outward = deferred.linksOutward(0)
  while (outward.length > 0) {
    for (const link of outward) if (await isDangling(store, link)) deferred.move(link, 'unresolvable')
    outward = deferred.linksOutward(outward.at(-1)?.row ?? 0)
  }
  deferred.spreadUnresolvable()
}

const isDangling = async (store: MemberStore, { className, id }: Link): Promise<boolean> =>
  (await store.find(className, id)) === undefined

const refuseAll: PageWork = async (members, { store, deferred, results }) => {
  for (const read of members) {
    const dangling: Link[] = []
    for (const link of deferred.unresolvableLinksOf(read))
      if (await isDangling(store, link)) dangling.push(link)
    const problems = dangling.flatMap((link) => {
      const unresolved = read.openLinks.unresolved.find(({ id }) => id === link.id)
      return unresolved?.problem ?? results.problemsOf([link], deferred.unresolvablePlaceOf)
    })
    results.record(read, { outcome: 'refused', problems })
    deferred.remove(read)
  }
}

/** Adds members with circular links, without the links that can be set later. */
const addWithoutLinks: PageWork = async (members, { store, deferred, results }) => {
  const incomplete = members.map((read) => ({
    className: read.cls.name,
    member: read.without(deferredProperties(read, deferred.linksOf(read))),
  }))
  const added = await retryWhileLocked(() => store.addAll(incomplete))
  for (const [index, read] of members.entries()) {
    const one = added[index] as AddOutcome
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

/** The properties whose links are set later. */
function deferredProperties(read: ReadMember, links: readonly Link[]): ReadonlySet<string> {
  const names = new Set(links.map(({ property }) => topProperty(property)))
  const late = read.cls.properties.filter(
    (property) => names.has(property.name) && canDeferLinks(read, property),
  )
  return new Set(late.map(({ name }) => name))
}

async function setLinks(
  members: readonly DeferredMember[],
  stage: 'partial' | 'found',
  { store, deferred, results }: AddDependencies,
): Promise<void> {
  for (const { read, ...one } of await reconcileAll(store, members)) {
    if (one.outcome === 'there') {
      if (stage === 'found') results.record(read, one)
    } else {
      if (stage === 'partial') results.tally.added--
      const problems =
        one.outcome === 'refused' ? one.problems : results.problemsOf(one.links).map(withoutLink)
      results.refuse(read.text, problems)
    }
    deferred.remove(read)
  }
}

/** The target of a link was refused after the member was added. */
const withoutLink = (problem: ProblemData): ProblemData =>
  importViolation('AddedWithoutLink', problem.at.property ?? '', { problem })
