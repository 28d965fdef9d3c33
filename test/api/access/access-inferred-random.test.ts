import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { newDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { type AppOfUsers, type AppRequest, openApp, user } from '../app-of-users.ts'
import { createEvaluation } from '../query/plain-evaluation.ts'
import {
  anyRules,
  anySecrets,
  anyShelf,
  anyValues,
  type Choose,
  CLASSES,
  chooser,
  fillShelf,
  type ListedClass,
  patch,
  put,
  type Secrets,
  type ShelfMember,
  shelfModel,
  toBody,
} from '../query/random-shelf.ts'
import { createCompare, WITH_ETAGS } from './counterparts.ts'
import { anyAsked, rememberAll, type Told } from './inference-requests.ts'

/** One of two databases, and what the user was told of it. */
interface Side extends Told {
  readonly app: AppOfUsers
  /** Hidden members beyond those that both have, by address. */
  readonly extra: Set<string>
}

/** Some texts are longer than keys of an index, and begin alike: the rest of them is read from members. */
const LONG: Readonly<Record<string, string>> = {
  ab: `${'a'.repeat(250)}b`,
  ss: `${'a'.repeat(250)}c`,
  E: `${'A'.repeat(250)}B`,
}

const withLongTexts = ({ send, close }: AppOfUsers): AppOfUsers => ({
  close,
  send: ({ path, body, ...rest }, by) => {
    const lengthened = (text: string) => LONG[text] ?? text
    const sent = { path: path.replace(/(?<==)(?:ab|ss|E)(?=&|$)/g, lengthened), ...rest }
    return send({ ...sent, body: body?.replace(/(?<=")(?:ab|ss|E)(?=")/g, lengthened) }, by)
  },
})

const KEEPER = user(2, ['keeper'])

const JSON_LD = { 'Content-Type': 'application/ld+json' }

async function replace({ app }: Side, { className, address }: ShelfMember, choose: Choose): Promise<void> {
  const body = JSON.stringify(toBody(className, anyValues(choose, className)))
  const answer = await app.send({ method: 'PUT', path: `/${address}`, headers: JSON_LD, body }, KEEPER)
  assert.equal(answer.status, 200, answer.text)
}

async function addExtra(
  { app, extra }: Side,
  className: ListedClass,
  choose: Choose,
  values = {},
): Promise<void> {
  const address = extraOf(className, choose)
  if (extra.has(address)) return
  await put(app, { className, address, owner: 2, values })
  extra.add(address)
}

const extraOf = (className: ListedClass, choose: Choose): string =>
  `${CLASSES[className]?.collection}/x${choose(0, 1, 2, 3)}`

/** Writes that the user cannot see: hidden members come, change and go. */
async function writeHidden(side: Side, hidden: readonly ShelfMember[], choose: Choose): Promise<void> {
  if (hidden.length === 0) return
  const one = choose(...(hidden as [ShelfMember]))
  const { className } = one
  const act = choose('change', 'change', 'add', 'add', 'remove', 'nothing')
  if (act === 'change') await replace(side, one, choose)
  if (act === 'add') await addExtra(side, className, choose, anyValues(choose, className))
  if (act !== 'remove') return
  const address = extraOf(className, choose)
  if (!side.extra.has(address)) return
  const { status } = await side.app.send({ method: 'DELETE', path: `/${address}` }, KEEPER)
  // Another hidden member may link to it.
  if (status === 204) side.extra.delete(address)
}

const numbers = (count: number) => fc.array(fc.nat(9_999), { minLength: count, maxLength: count })

interface Run {
  readonly shelf: readonly number[]
  readonly requests: readonly (readonly number[])[]
  readonly isClerk: boolean
  /** Whether hidden members come before others, which then have other sequence numbers and versions. */
  readonly isMixed: boolean
}

const anyRun: fc.Arbitrary<Run> = fc.record({
  shelf: numbers(1_200),
  requests: fc.array(numbers(200), { minLength: 100, maxLength: 100 }),
  isClerk: fc.constantFrom(false, false, true),
  isMixed: fc.boolean(),
})

/** Two databases with the same members that the user may read, and links from those to the same others. */
async function openSides(t: TestContext, { shelf, isClerk, isMixed }: Run) {
  const choose = chooser(shelf)
  const rules = anyRules(choose)
  const members = anyShelf(choose)
  const me = user(1, isClerk ? ['clerk'] : [])
  const { isReadable } = createEvaluation({ rules, members }, me)
  const [readable, hidden] = [members.filter(isReadable), members.filter((one) => !isReadable(one))]
  const model = shelfModel(rules)
  const open = async (): Promise<Side> => ({
    app: withLongTexts(await openApp(t, model)),
    extra: new Set(),
    links: [],
    tagged: [],
  })
  const [left, right] = [await open(), await open()]
  await fillShelf(left.app, members)
  await fillShelf(right.app, members, async () => {
    const [one] = hidden
    if (isMixed && one !== undefined) await addExtra(right, one.className, choose)
  })
  return { me, left, right, readable, hidden, rules }
}

// contract: Everything here is over what the user may read
// contract: Lists, totals, filters, orders, free text, cursors and `next`
test('two databases that differ in what the user may not read answer alike, byte for byte', async (t) => {
  const outcomes = new Map<string, number>()
  const property = fc.asyncProperty(anyRun, async (run) => {
    const { me, left, right, readable, hidden, rules } = await openSides(t, run)
    // Sequence numbers and versions are in what is opaque.
    const compare = run.isMixed ? createCompare() : assert.equal
    const compareIncluded = run.isMixed ? createCompare(WITH_ETAGS) : assert.equal
    try {
      for (const numbers of run.requests) {
        const [choose, here, there] = [
          chooser(numbers),
          chooser(numbers.toReversed()),
          chooser(numbers.toSorted()),
        ]
        await writeHidden(left, hidden, here)
        await writeHidden(right, hidden, there)
        if (run.isMixed && readable.length > 0 && choose(true, false, false, false)) {
          const one = choose(...(readable as [ShelfMember]))
          const values = numbers.slice(60)
          for (const side of [left, right]) await replace(side, one, chooser(values))
        }
        const question = numbers.slice(10)
        const [asked, alike] = [left, right].map((side) => anyAsked(chooser(question))(side)) as [
          AppRequest,
          AppRequest,
        ]
        const [one, other] = [await left.app.send(asked, me), await right.app.send(alike, me)]
        const how = asked.path.includes('include=') ? compareIncluded : compare
        how(one.text, other.text, `${JSON.stringify(rules)} ${JSON.stringify(me)} ${JSON.stringify(asked)}`)
        const kind = asked.path.startsWith('/summaries/') ? 'summaries' : 'others'
        const outcome = `${asked.method} ${one.status} ${kind}`
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        rememberAll(asked, one.text, left)
        rememberAll(alike, other.text, right)
      }
    } finally {
      for (const { app } of [left, right]) await app.close()
    }
  })
  // A database of PostgreSQL takes a second to make.
  const isSqlite = newDatabase(t).startsWith('sqlite:')
  const numRuns = isSqlite ? inSoak(100, 4) : inSoak(20, 1)
  // Shrinking takes minutes: the request that fails is named, and the seed.
  await fc.assert(property, { numRuns, endOnFailure: true })
  if (!isSqlite) return
  const wanted = 'GET 200, GET 304, GET 400, GET 404, HEAD 200, OPTIONS 204'.split(', ')
  for (const outcome of [...wanted.map((one) => `${one} others`), 'GET 200 summaries', 'GET 400 summaries'])
    assert.ok(outcomes.has(outcome), `${outcome} is not among ${[...outcomes].join(' ')}`)
})

/** The values of a member that the user may not see, chosen anew; null for none. */
function anySecretValues(
  { className, owner }: ShelfMember,
  { secrets, isClerk }: { readonly secrets: Secrets; readonly isClerk: boolean },
  choose: Choose,
): Readonly<Record<string, unknown>> {
  const chosen = anyValues(choose, className)
  const hidden = Object.entries(secrets[className] ?? {}).filter(
    ([, who]) => !(who === 'owner' && owner === 1) && !(who === 'clerk' && isClerk),
  )
  return Object.fromEntries(hidden.map(([name]) => [name, chosen[name] ?? null]))
}

const withoutNulls = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** The same values as a patch has them. */
const toPatch = (className: ListedClass, values: Readonly<Record<string, unknown>>): object => ({
  ...values,
  ...toBody(className, withoutNulls(values)),
})

test('two databases that differ in properties that the user may not see answer alike, byte for byte', async (t) => {
  const statuses = new Map<number, number>()
  const property = fc.asyncProperty(anyRun, async ({ shelf, requests, isClerk }) => {
    const choose = chooser(shelf)
    const [rules, secrets] = [anyRules(choose), anySecrets(choose)]
    const members = anyShelf(choose)
    const me = user(1, isClerk ? ['clerk'] : [])
    const model = shelfModel(rules, secrets)
    const open = async (numbers: readonly number[]): Promise<Side> => {
      const app = withLongTexts(await openApp(t, model))
      const chooseSecret = chooser(numbers)
      const all = members.map((member) => {
        const secret = anySecretValues(member, { secrets, isClerk }, chooseSecret)
        return { ...member, values: withoutNulls({ ...member.values, ...secret }) }
      })
      await fillShelf(app, all)
      return { app, extra: new Set(), links: [], tagged: [] }
    }
    const [left, right] = [await open(shelf.toReversed()), await open(shelf.toSorted())]
    try {
      for (const numbers of requests) {
        const changed = chooser(numbers)(...(members as [ShelfMember, ...ShelfMember[]]))
        for (const [side, order] of [
          [left, numbers.toReversed()],
          [right, numbers.toSorted()],
        ] as const) {
          const secret = anySecretValues(changed, { secrets, isClerk }, chooser(order))
          if (Object.keys(secret).length > 0)
            await patch(side.app, changed.address, toPatch(changed.className, secret))
        }
        const question = numbers.slice(10)
        const [asked, alike] = [left, right].map((side) => anyAsked(chooser(question))(side)) as [
          AppRequest,
          AppRequest,
        ]
        const [one, other] = [await left.app.send(asked, me), await right.app.send(alike, me)]
        const about = { rules, secrets, me, asked }
        assert.equal(one.text, other.text, JSON.stringify(about))
        statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
        rememberAll(asked, one.text, left)
        rememberAll(alike, other.text, right)
      }
    } finally {
      for (const { app } of [left, right]) await app.close()
    }
  })
  const isSqlite = newDatabase(t).startsWith('sqlite:')
  await fc.assert(property, { numRuns: isSqlite ? inSoak(100, 4) : inSoak(20, 1), endOnFailure: true })
  for (const status of isSqlite ? [200, 304, 400, 404] : [])
    assert.ok(statuses.has(status), `${status} is not among ${[...statuses]}`)
})
