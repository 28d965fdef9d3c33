import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { type Model, rightsOf } from '../../../src/vocabulary/index.ts'
import { newDatabase, ownDatabase } from '../../support/databases.ts'
import { modelOf } from '../../support/service.ts'
import { inSoak, MOST_MS } from '../../support/soak.ts'
import { type AppAnswer, type AppOfUsers, BASE, openApp, user } from '../app-of-users.ts'
import { createCompare } from './counterparts.ts'
import { type Asked, createRequests, remember, type Step, type Told } from './random-requests.ts'

const CLASSES = { notes: 'Note', topics: 'Topic' } as const

const anyWho = fc.constantFrom('owner', 'owner', 'owner', 'everyone', 'editor', '[editor, owner]', 'nobody')
const anyCreator = fc.constantFrom('everyone', 'everyone', 'everyone', 'editor')

const anyRules = fc
  .record(
    { read: anyWho, list: anyWho, update: anyWho, replace: anyWho, delete: anyWho, create: anyCreator },
    { requiredKeys: ['read', 'create'] },
  )
  .chain((rules) => fc.constantFrom('everyone', 'owner').map((all) => ({ ...rules, all })))
  .map((rules) => `{ ${Object.entries(rules).map(([name, who]) => `${name}: ${who}`)} }`)

/** API files without a problem. */
const anyModel: fc.Arbitrary<Model> = fc
  .tuple(anyRules, anyRules)
  .map(([notes, topics]) => {
    const api = `
roles: [editor]
classes:
  Note:
    access: ${notes}
    properties:
      title: string
      rank: integer
      tags: { type: string, many: true }
      code: { type: string, unique: true }
      next: Note
      about: Topic
  Topic:
    access: ${topics}
    properties: { title: string, code: { type: string, unique: true }, note: Note }
`
    try {
      return modelOf(api)
    } catch {
      return undefined
    }
  })
  .filter((model) => model !== undefined)

const requests = createRequests(BASE)

const anySteps = fc.array(
  fc
    .tuple(
      fc.constantFrom<Step['by']>('me', 'me', 'me', 'me', 'others', 'hidden', 'hidden'),
      fc.array(fc.nat(999), { minLength: 20, maxLength: 20 }),
    )
    .map(([by, numbers]) => requests.read(by, numbers)),
  { minLength: 30, maxLength: 60 },
)

const OTHERS = [user(2, ['editor']), user(3, [])] as const

/** Of one database: the app, and what the user was told that a later request may use. */
interface Side extends Told, AppOfUsers {}

const openSide = async (t: TestContext, model: Model): Promise<Side> => ({
  ...(await openApp(t, model, 3, ownDatabase)),
  etags: [],
  links: [],
})

/** An editor sees versions as they are, which hidden writes have raised: what others write must be the same by any of them. */
const withoutEtags = (headers: Asked['headers']): Asked['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !name.startsWith('If-') || value === '*'),
  )

/** access.md, On the wire: the three things that show that something hidden exists. */
const isKnownToShow = ({ headers }: Asked, { status, text }: AppAnswer): boolean =>
  (status === 412 && headers['If-None-Match'] === '*') ||
  (status === 422 && text.includes('must be unique, and another member has this value.')) ||
  (status === 409 && text.includes('Members that you may not read link to this one'))

// contract: Three things show that something hidden exists
// contract: Lists, totals, filters, orders, free text, cursors and `next`
test('two databases that differ only in members that the user may not read tell the user the same', async (t) => {
  const outcomes = new Map<string, number>()
  const anyRoles = fc.constantFrom<readonly string[]>([], [], ['editor'])
  const property = fc.asyncProperty(anyModel, anyRoles, anySteps, async (model, roles, steps) => {
    const me = user(1, roles)
    const [less, more] = [await openSide(t, model), await openSide(t, model)]
    const compare = createCompare()
    /** Whether the user has taken an id of those that hidden members have. */
    const taken = new Set<string>()
    try {
      for (const [index, step] of [...requests.first, ...steps].entries()) {
        const other = OTHERS[index % 2] ?? me
        const asked = step.ask(less)
        if (step.by === 'others') {
          const alike = { ...asked, headers: withoutEtags(asked.headers) }
          for (const side of [less, more]) await side.send(alike, other)
        }
        if (step.by === 'hidden') {
          const { read } = rightsOf(model.access, CLASSES[asked.collection], roles)
          if (read !== 'any' && !taken.has(asked.path)) await more.send(asked, other)
        }
        if (step.by !== 'me') continue
        const alike = step.ask(more)
        const [one, two] = [await less.send(asked, me), await more.send(alike, me)]
        const outcome = `${asked.method} ${one.status}`
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        if (one.text !== two.text && isKnownToShow(alike, two)) {
          if (one.status < 300) return
          continue
        }
        compare(one.text, two.text, JSON.stringify(asked))
        if (one.status === 201) taken.add(asked.path)
        remember(one.text, less)
        remember(two.text, more)
      }
    } finally {
      await Promise.all([less.close(), more.close()])
    }
  })
  // A database of PostgreSQL takes a second to make.
  const isSqlite = newDatabase(t).startsWith('sqlite:')
  const numRuns = isSqlite ? inSoak(2_000, 15) : inSoak(300, 2)
  // Shrinking takes minutes: the step that fails is told, and the seed.
  await fc.assert(property, { numRuns, endOnFailure: true, interruptAfterTimeLimit: MOST_MS })
  if (!isSqlite) return
  for (const outcome of ['GET 200', 'GET 304', 'POST 201', 'PUT 201', 'PUT 200', 'PATCH 200', 'DELETE 204'])
    assert.ok(outcomes.has(outcome), `${outcome} is not among ${[...outcomes].join(' ')}`)
})
