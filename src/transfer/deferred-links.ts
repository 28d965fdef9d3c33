import { refusal } from '../api/index.ts'
import { type HttpError, invalid } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { Added, Link, MemberStore } from '../store/index.ts'
import type { Class } from '../vocabulary/index.ts'
import { addMembers, canComeLater, inGroups, type Meeting, meet, retryWhileLocked } from './add-members.ts'
import type { DeferredMembers, Entry, Stage } from './deferred-members.ts'
import type { ReadMember, ReadMemberText } from './member-reader.ts'
import { type RefusedMembers, type Report, refuse, type Tally } from './refusals.ts'

export interface DeferredParts {
  readonly store: MemberStore
  readonly deferred: DeferredMembers
  readonly refused: RefusedMembers
  readonly tally: Tally
  readonly report: Report
  readonly readMember: ReadMemberText
  readonly context: JsonValue | undefined
  readonly progress: () => void
}

/** Adds the members whose links lead to members that came later, in whatever order the links allow. */
export async function addDeferred(parts: DeferredParts): Promise<void> {
  await addInRounds(parts)
  await refuseUnresolvable(parts)
  await addCircles(parts)
  await setLinks(parts)
}

/** A round must bring in this part of what is left, or links are set later: a chain of a million has a million rounds. */
const LEAST_PART = 10

async function addInRounds(parts: DeferredParts): Promise<void> {
  const { store, deferred, tally } = parts
  for (let left = deferred.count('waiting'); left > 0; ) {
    await eachPage(parts, 'waiting', async (entries, members) => {
      const outcomes = await addMembers(store, members)
      for (const [index, one] of outcomes.entries()) {
        const entry = entries[index] as Entry
        if (one.outcome === 'dangling') {
          deferred.setLinks(entry, one.links)
          continue
        }
        if (one.outcome === 'added') tally.added++
        else if (one.outcome === 'there') tally.alreadyThere++
        else refuseMember(parts, entry, members[index] as ReadMember, one.error)
        deferred.remove(entry)
      }
    })
    const before = left
    left = deferred.count('waiting')
    if ((before - left) * LEAST_PART < before) return
  }
}

/** What links to a member that is neither there nor in the data, and what links to that in turn. */
async function refuseUnresolvable(parts: DeferredParts): Promise<void> {
  const { store, deferred } = parts
  for (
    let outward = deferred.linksOutward(0);
    outward.length > 0;
    outward = deferred.linksOutward(outward.at(-1)?.row ?? 0)
  ) {
    const unresolvable: number[] = []
    for (const { number, link } of outward) {
      if ((await store.find(link.className, link.id)) === undefined) unresolvable.push(number)
    }
    deferred.markUnresolvable(unresolvable)
  }
  deferred.spreadUnresolvable()
  await eachPage(parts, 'unresolvable', (entries, members) =>
    refuseMissing(parts, entries, members, deferred.unresolvableLinksOf),
  )
}

/** Links that point in a circle: the members are added without those that are optional. */
async function addCircles(parts: DeferredParts): Promise<void> {
  const { deferred } = parts
  for (let left = deferred.count('waiting'); left > 0; ) {
    await eachPage(parts, 'waiting', (entries, members) => addWithoutLinks(parts, entries, members))
    const before = left
    left = deferred.count('waiting')
    if (left === before) break
  }
  // What is left links in a circle of required links.
  await eachPage(parts, 'waiting', (entries, members) =>
    refuseMissing(parts, entries, members, deferred.linksOf),
  )
}

async function addWithoutLinks(
  parts: DeferredParts,
  entries: readonly Entry[],
  members: readonly ReadMember[],
): Promise<void> {
  const { store, deferred, tally } = parts
  const lacking = entries.map((entry, index) =>
    lateProperties((members[index] as ReadMember).cls, deferred.linksOf(entry)),
  )
  const added = await retryWhileLocked(() =>
    store.addAll(
      members.map((read, index) => ({
        className: read.cls.name,
        member: read.without(lacking[index] as ReadonlySet<string>),
      })),
    ),
  )
  for (const [index, entry] of entries.entries()) {
    const one = added[index] as Added
    if (one.outcome === 'exists') deferred.move(entry, 'found')
    else if (one.outcome === 'added') {
      tally.added++
      deferred.move(entry, 'partial')
    } else if (one.taken.length > 0) {
      refuseMember(parts, entry, members[index] as ReadMember, refusal(one))
      deferred.remove(entry)
    }
  }
}

function lateProperties(cls: Class, links: readonly Link[]): ReadonlySet<string> {
  const names = new Set(links.map(({ property }) => property.split('/', 1)[0]))
  return new Set(
    cls.properties
      .filter((property) => names.has(property.name) && canComeLater(property))
      .map(({ name }) => name),
  )
}

async function setLinks(parts: DeferredParts): Promise<void> {
  const { store, deferred, refused, tally, report } = parts
  for (const stage of ['partial', 'found'] as const) {
    await eachPage(parts, stage, async (entries, members) => {
      const outcomes = await inGroups(members, (read) => meet(store, read))
      for (const [index, one] of outcomes.entries()) {
        const entry = entries[index] as Entry
        if (one.outcome === 'there') {
          if (stage === 'found') tally.alreadyThere++
        } else {
          if (stage === 'partial') tally.added--
          refuse(tally, report, entry.line, errorOf(one, refused))
        }
        deferred.remove(entry)
      }
    })
  }
}

/** A member that was to be linked to was refused after all. */
function errorOf(one: Exclude<Meeting, { readonly outcome: 'there' }>, refused: RefusedMembers): HttpError {
  if (one.outcome === 'refused') return one.error
  const { violations } = refused.errorFor(one.links)
  return invalid(
    violations.map(({ propertyPath, message }) => ({
      propertyPath,
      message: `${message} The member is there without this link.`,
    })),
  )
}

async function refuseMissing(
  parts: DeferredParts,
  entries: readonly Entry[],
  members: readonly ReadMember[],
  linksOf: (entry: Entry) => Link[],
): Promise<void> {
  const { store, deferred, refused } = parts
  for (const [index, entry] of entries.entries()) {
    const dangling: Link[] = []
    for (const link of linksOf(entry)) {
      if ((await store.find(link.className, link.id)) === undefined) dangling.push(link)
    }
    refuseMember(
      parts,
      entry,
      members[index] as ReadMember,
      refused.errorFor(dangling, deferred.unresolvableLineOf),
    )
    deferred.remove(entry)
  }
}

function refuseMember(
  { tally, report, refused }: DeferredParts,
  { line }: Entry,
  { cls, id }: ReadMember,
  error: HttpError,
): void {
  refuse(tally, report, line, error)
  refused.add(cls.name, id, line)
}

type Work = (entries: readonly Entry[], members: readonly ReadMember[]) => Promise<void>

async function eachPage(
  { deferred, readMember, context, progress }: DeferredParts,
  stage: Stage,
  work: Work,
): Promise<void> {
  let after = 0
  for (let entries = deferred.page(stage, after); entries.length > 0; entries = deferred.page(stage, after)) {
    const members: ReadMember[] = []
    for (const entry of entries) members.push(await readMember({ ...entry, context }))
    await work(entries, members)
    progress()
    after = entries.at(-1)?.number ?? 0
  }
}
