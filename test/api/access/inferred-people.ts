import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import type { Principal } from '../../../src/auth/index.ts'
import { user } from '../app-of-users.ts'
import { createSight, type Sight } from '../query/people-sight.ts'
import { anyPeople, namesForOthers, type People } from '../query/random-people.ts'
import { chooser, LISTED } from '../query/random-shelf.ts'
import { createCompare, OPAQUE, WITH_ETAGS } from './counterparts.ts'
import { rememberAll } from './inference-requests.ts'
import { anyPeopleRequest, type PeopleRequest } from './people-requests.ts'
import { openSide, type PeopleSide, type Plant, readAgain } from './people-side.ts'
import { fillSides, writeByOthers } from './people-writes.ts'

export interface PeopleRun {
  readonly shelf: readonly number[]
  readonly requests: readonly (readonly number[])[]
  readonly isClerk: boolean
  /** Whether one of the API files lacks the properties that are for others alone. */
  readonly isBare: boolean
}

const numbers = (count: number) => fc.array(fc.nat(9_999), { minLength: count, maxLength: count })

export const anyPeopleRun = (length: number): fc.Arbitrary<PeopleRun> =>
  fc.record({
    shelf: numbers(2_500),
    requests: fc.array(numbers(300), { minLength: length, maxLength: length }),
    isClerk: fc.constantFrom(false, false, true),
    isBare: fc.constantFrom(false, false, true),
  })

/** Two databases that the user must not tell apart. */
interface Compared {
  readonly people: People
  readonly me: Principal
  readonly sight: Sight
  readonly sides: readonly [left: PeopleSide, right: PeopleSide]
}

async function openSides(t: TestContext, run: PeopleRun, plant: Plant): Promise<Compared> {
  const choose = chooser(run.shelf)
  const people = anyPeople(choose)
  const isSocial = choose(true, false)
  const me = user(1, run.isClerk ? ['clerk'] : [])
  const sight = createSight(people, me)
  const forOthers = Object.fromEntries(LISTED.map((name) => [name, namesForOthers(people, name, me)]))
  const left = await openSide(t, { people, isSocial, plant, lacking: {} })
  const right = await openSide(t, { people, isSocial, plant, lacking: run.isBare ? forOthers : {} })
  await fillSides(sight, [left, right], run.shelf.slice(500))
  return { people, me, sight, sides: [left, right] }
}

/** access.md, On the wire: that something hidden links to a member is among the three things that may be seen. */
function mayDiffer({ sides, sight }: Compared, { path, written }: PeopleRequest): boolean {
  const targets = [...written, ...(path.match(/\w+\/\w+(?=\/removal)/g) ?? [])]
  const [one, other] = sides.map(({ state }) => targets.map((to) => sight.hasHiddenLinks(state, to)))
  return `${one}` !== `${other}`
}

type Compare = (asked: PeopleRequest, one: string, other: string, about: string) => void

export interface Answered extends PeopleRequest {
  readonly status: number
}

/** How many requests are made up until one is wanted. */
const TRIES = 100

function anyWanted(side: PeopleSide, numbers: readonly number[], wanted: Wanted): PeopleRequest {
  for (let tries = 0; ; tries++) {
    const request = anyPeopleRequest(chooser(numbers.slice(tries)))(side)
    if (wanted(request) || tries === TRIES) return request
  }
}

/** The user asks the same of both. Returns undefined where both may differ from now on. */
async function ask(
  compared: Compared,
  numbers: readonly number[],
  { wanted = () => true }: CompareOptions,
  compare: Compare,
): Promise<Answered | undefined> {
  const { sides, me, people, sight } = compared
  const [left, right] = sides
  const [asked, alike] = [anyWanted(left, numbers, wanted), anyWanted(right, numbers, wanted)]
  if (mayDiffer(compared, asked)) return { ...asked, status: 0 }
  const [one, other] = [await left.app.send(asked, me), await right.app.send(alike, me)]
  const about = JSON.stringify({ people, me, asked })
  assert.equal(one.status, other.status, `${about}: ${one.text} ${other.text}`)
  if (one.status < 300)
    for (const address of asked.written) for (const side of sides) await readAgain(side, address, me.number)
  // What the user has written may bring into sight what was hidden.
  if (sight.sightOf(left.state, left.past) !== sight.sightOf(right.state, right.past)) return undefined
  compare(asked, one.text, other.text, about)
  rememberAll(asked, one.text, left)
  rememberAll(alike, other.text, right)
  return { ...asked, status: one.status }
}

/** Ids of events, and the ETags of members that they and batches tell. */
const OF_EVENTS = new RegExp(
  `(?<![\\w-])[\\w-]{22}(?![\\w-])|(?<=etag[":>]* ?")(?:[^"\\\\]|\\\\.)*(?=")|${WITH_ETAGS.source}`,
  'g',
)
/** Entries of histories are named by their versions. */
const OF_PAST = new RegExp(`(?<=/history/)[\\w-]+|${OPAQUE.source}`, 'g')
/** Each database has its own clock. */
const TIMES = /(?<=published"?[:>] ?")[^"]+/g
const PAST_TIMES =
  /\b20\d\d-\d\d-\d\dT[\d:]{8}\.\d{3}Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d [\d:]{8} GMT/g

function createPeopleCompare(): Compare {
  const [plain, included, events] = [createCompare(), createCompare(WITH_ETAGS), createCompare(OF_EVENTS)]
  const past = createCompare(OF_PAST)
  return ({ path, headers }, one, other, about) => {
    if (/^\/(?:events|batch)/.test(path))
      return events(one.replaceAll(TIMES, ''), other.replaceAll(TIMES, ''), about)
    const isPast = /\/history|[?&]deleted/.test(path) || headers?.['Accept-Datetime'] !== undefined
    const isGone = /^410\n/.test(one)
    if (isPast || isGone) return past(one.replaceAll(PAST_TIMES, ''), other.replaceAll(PAST_TIMES, ''), about)
    const compare = path.includes('include=') ? included : plain
    compare(one, other, about)
  }
}

type Wanted = (request: PeopleRequest) => boolean

interface CompareOptions {
  readonly plant?: Plant
  /** Which requests are made; all without it. */
  readonly wanted?: Wanted
  readonly onAnswer?: (answered: Answered) => void
}

/** Throws where the user can tell two databases apart. */
export async function comparePeople(
  t: TestContext,
  run: PeopleRun,
  options: CompareOptions = {},
): Promise<void> {
  const { plant = (app) => app, onAnswer = () => {} } = options
  const compared = await openSides(t, run, plant)
  const compare = createPeopleCompare()
  try {
    for (const numbers of run.requests) {
      await writeByOthers(compared.sight, compared.sides, numbers)
      const answered = await ask(compared, numbers.slice(100), options, compare)
      if (answered === undefined) return
      onAnswer(answered)
    }
  } finally {
    for (const { app } of compared.sides) await app.close()
  }
}
