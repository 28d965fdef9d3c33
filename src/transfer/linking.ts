import { refusal } from '../api/write.ts'
import { type HttpError, invalid } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { Added, Link, MemberStore } from '../store/store.ts'
import type { Class } from '../vocabulary/model.ts'
import { addMembers, inGroups, type Meeting, meet } from './adding.ts'
import type { Aside, Entry, Stage } from './aside.ts'
import { canComeLater } from './existing.ts'
import type { ReadMember, ReadPiece } from './member-reader.ts'
import { patiently } from './patience.ts'
import type { RefusedMembers } from './refused-members.ts'
import { type Report, refuse, type Tally } from './tally.ts'

export interface LinkingParts {
  readonly store: MemberStore
  readonly aside: Aside
  readonly refused: RefusedMembers
  readonly tally: Tally
  readonly report: Report
  readonly readPiece: ReadPiece
  readonly context: JsonValue | undefined
  readonly progress: () => void
}

/** Adds what was set aside because of links to members that came later, in whatever order the links allow. */
export async function placeAside(parts: LinkingParts): Promise<void> {
  await placeInRounds(parts)
  await giveUpOnTheLost(parts)
  await placeWithoutLinks(parts)
  await setLinks(parts)
}

/** A round must bring in this part of what is left, or links are set later: a chain of a million has a million rounds. */
const LEAST_PART = 10

async function placeInRounds(parts: LinkingParts): Promise<void> {
  const { store, aside, tally } = parts
  for (let left = aside.count('waiting'); left > 0; ) {
    await eachPage(parts, 'waiting', async (entries, members) => {
      const placings = await addMembers(store, members)
      for (const [index, placing] of placings.entries()) {
        const entry = entries[index] as Entry
        if (placing.outcome === 'dangling') {
          aside.setLinks(entry, placing.links)
          continue
        }
        if (placing.outcome === 'added') tally.added++
        else if (placing.outcome === 'there') tally.alreadyThere++
        else turnAway(parts, entry, members[index] as ReadMember, placing.error)
        aside.drop(entry)
      }
    })
    const before = left
    left = aside.count('waiting')
    if ((before - left) * LEAST_PART < before) return
  }
}

/** What links to a member that is neither there nor in the data, and what links to that in turn. */
async function giveUpOnTheLost(parts: LinkingParts): Promise<void> {
  const { store, aside } = parts
  for (
    let outward = aside.leadingOut(0);
    outward.length > 0;
    outward = aside.leadingOut(outward.at(-1)?.row ?? 0)
  ) {
    const lost: number[] = []
    for (const { number, link } of outward) {
      if ((await store.find(link.className, link.id)) === undefined) lost.push(number)
    }
    aside.markLost(lost)
  }
  aside.spreadLoss()
  await eachPage(parts, 'lost', (entries, members) =>
    refuseMissing(parts, entries, members, aside.lostLinksOf),
  )
}

/** Links that point in a circle: the members are added without those that are optional. */
async function placeWithoutLinks(parts: LinkingParts): Promise<void> {
  const { aside } = parts
  for (let left = aside.count('waiting'); left > 0; ) {
    await eachPage(parts, 'waiting', (entries, members) => addWithoutLinks(parts, entries, members))
    const before = left
    left = aside.count('waiting')
    if (left === before) break
  }
  // What is left links in a circle of required links.
  await eachPage(parts, 'waiting', (entries, members) =>
    refuseMissing(parts, entries, members, aside.linksOf),
  )
}

async function addWithoutLinks(
  parts: LinkingParts,
  entries: readonly Entry[],
  members: readonly ReadMember[],
): Promise<void> {
  const { store, aside, tally } = parts
  const lacking = entries.map((entry, index) =>
    lateProperties((members[index] as ReadMember).cls, aside.linksOf(entry)),
  )
  const added = await patiently(() =>
    store.addAll(
      members.map((read, index) => ({
        className: read.cls.name,
        member: read.without(lacking[index] as ReadonlySet<string>),
      })),
    ),
  )
  for (const [index, entry] of entries.entries()) {
    const one = added[index] as Added
    if (one.outcome === 'exists') aside.move(entry, 'found')
    else if (one.outcome === 'added') {
      tally.added++
      aside.move(entry, 'partial')
    } else if (one.taken.length > 0) {
      turnAway(parts, entry, members[index] as ReadMember, refusal(one))
      aside.drop(entry)
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

async function setLinks(parts: LinkingParts): Promise<void> {
  const { store, aside, refused, tally, report } = parts
  for (const stage of ['partial', 'found'] as const) {
    await eachPage(parts, stage, async (entries, members) => {
      const placings = await inGroups(members, (read) => meet(store, read))
      for (const [index, placing] of placings.entries()) {
        const entry = entries[index] as Entry
        if (placing.outcome === 'there') {
          if (stage === 'found') tally.alreadyThere++
        } else {
          if (stage === 'partial') tally.added--
          refuse(tally, report, entry.line, errorOf(placing, refused))
        }
        aside.drop(entry)
      }
    })
  }
}

/** A member that was to be linked to was refused after all. */
function errorOf(
  placing: Exclude<Meeting, { readonly outcome: 'there' }>,
  refused: RefusedMembers,
): HttpError {
  if (placing.outcome === 'refused') return placing.error
  const { violations } = refused.errorFor(placing.links)
  return invalid(
    violations.map(({ propertyPath, message }) => ({
      propertyPath,
      message: `${message} The member is there without this link.`,
    })),
  )
}

async function refuseMissing(
  parts: LinkingParts,
  entries: readonly Entry[],
  members: readonly ReadMember[],
  linksOf: (entry: Entry) => Link[],
): Promise<void> {
  const { store, aside, refused } = parts
  for (const [index, entry] of entries.entries()) {
    const dangling: Link[] = []
    for (const link of linksOf(entry)) {
      if ((await store.find(link.className, link.id)) === undefined) dangling.push(link)
    }
    turnAway(parts, entry, members[index] as ReadMember, refused.errorFor(dangling, aside.lostLineOf))
    aside.drop(entry)
  }
}

function turnAway(
  { tally, report, refused }: LinkingParts,
  { line }: Entry,
  { cls, id }: ReadMember,
  error: HttpError,
): void {
  refuse(tally, report, line, error)
  refused.add(cls.name, id, line)
}

type Work = (entries: readonly Entry[], members: readonly ReadMember[]) => Promise<void>

async function eachPage(
  { aside, readPiece, context, progress }: LinkingParts,
  stage: Stage,
  work: Work,
): Promise<void> {
  let after = 0
  for (let entries = aside.page(stage, after); entries.length > 0; entries = aside.page(stage, after)) {
    const members: ReadMember[] = []
    for (const entry of entries) members.push(await readPiece({ ...entry, context }))
    await work(entries, members)
    progress()
    after = entries.at(-1)?.number ?? 0
  }
}
