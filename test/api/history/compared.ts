// Everything that is served of what members were, compared with a model.
import assert from 'node:assert/strict'
import type { TestResponse } from '../../support/client.ts'
import type { Visitor } from '../users.ts'
import {
  collectionOf,
  declaredOf,
  type Kind,
  keepsHistory,
  NAMES,
  USERS,
  type UserName,
} from './changing-file.ts'
import { type Entry, pathOf } from './entries.ts'
import {
  inToday,
  isRemembered,
  isSeen,
  judgedOwner,
  type KeptEntry,
  type KeptMember,
  type KeptModel,
  type KeptValues,
  namesFor,
  pick,
} from './kept-model.ts'
import { addressOf, type Service } from './random-writes.ts'

const JSON_ONLY = { Accept: 'application/json' }

/** The values of a representation, with the ids of links. */
function valuesIn({ file }: KeptModel, kind: Kind, shown: Record<string, unknown>): KeptValues {
  const { '@context': _, '@id': address, '@type': type, history, deletion, operation, ...rest } = shown
  assert.equal(type, kind === 'shelf' ? 'Shelf' : file.className)
  const links = declaredOf(file, kind).filter((one) => one.type === 'shelf' || one.type === 'book')
  for (const { name, type: to } of links) {
    if (rest[name] === undefined) continue
    const [, collection, id] = pathOf(String(rest[name])).split('/')
    assert.equal(collection, collectionOf(file, to as Kind))
    rest[name] = id
  }
  return rest
}

/** A member of the model, as one user is to see it. */
interface Seen {
  readonly model: KeptModel
  readonly member: KeptMember
  readonly user: UserName
  readonly sender: Visitor
  readonly path: string
  readonly about: string
}

const shownTo = ({ model: { file }, member, user }: Seen, values: KeptValues): KeptValues =>
  pick(inToday(file, member.kind, values), namesFor(file, member.kind, user, judgedOwner(member)))

function changedIn(seen: Seen, entry: KeptEntry, before: KeptEntry | undefined): string[] | undefined {
  if (before === undefined) return undefined
  const [now, then] = [shownTo(seen, entry.values), shownTo(seen, before.values)]
  return declaredOf(seen.model.file, seen.member.kind)
    .map(({ name }) => name)
    .filter((name) => now[name] !== then[name])
}

const actorFor = ({ user }: Seen, { actor }: KeptEntry): string | undefined =>
  user === 'sue' || user === actor ? `/accounts/${USERS[actor][0]}` : undefined

/** All pages. */
async function readAll<T>(sender: Visitor, path: string): Promise<T[]> {
  const all: T[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const response = await sender.send('GET', next, undefined, JSON_ONLY)
    assert.equal(response.status, 200, `${next}: ${response.body}`)
    const { member, view } = response.json() as unknown as { member: T[]; view: { next?: string } }
    all.push(...member)
    next = view.next && pathOf(view.next)
  }
  return all
}

/** Entries as they are served, oldest first. */
async function compareEntries(seen: Seen): Promise<Entry[]> {
  const { member, sender, path, user, about } = seen
  const { entries } = member
  const served = (await readAll<Entry>(sender, `${path}/history?itemsPerPage=3`)).reverse()
  assert.deepEqual(
    served.map((one) => [one['@type'], one.actor && pathOf(one.actor), one.changed]),
    entries.map((entry, index) => [
      entry.kind,
      actorFor(seen, entry),
      changedIn(seen, entry, entries[index - 1]),
    ]),
    about,
  )
  for (const [index, { '@id': id, published }] of served.entries()) {
    const entry = entries[index] as KeptEntry
    const at = Date.parse(published)
    // Users who may read all members see the numbers.
    if (user === 'sue') entry.told ??= { at, version: Number(id.split('/').at(-1)) }
    assert.equal(at, entry.told?.at, `${about}: ${id}`)
  }
  return served
}

const secondOf = (at: number): string => new Date(at).toUTCString()

function assertMemento(seen: Seen, response: TestResponse, served: readonly Entry[], index: number): void {
  const { model, member, about } = seen
  const entry = member.entries[index] as KeptEntry
  assert.equal(response.status, 200, `${about}: ${response.body}`)
  assert.deepEqual(valuesIn(model, member.kind, response.json()), shownTo(seen, entry.values), about)
  assert.equal(response.headers['memento-datetime'], secondOf(entry.told?.at ?? 0), about)
  const links = new Map(
    [...String(response.headers.link).matchAll(/<([^>]*)>; rel="(\w+)[^"]*"/g)].map((one) => [
      one[2],
      one[1],
    ]),
  )
  assert.equal(pathOf(links.get('original')), seen.path, about)
  assert.equal(links.get('prev'), served[index - 1]?.['@id'], about)
  assert.equal(links.get('next'), served[index + 1]?.['@id'], about)
}

async function compareMementos(seen: Seen, served: readonly Entry[]): Promise<void> {
  const { sender, path, member, about } = seen
  for (const [index, { '@id': id }] of served.entries()) {
    const response = await sender.send('GET', pathOf(id), undefined, JSON_ONLY)
    assertMemento(seen, response, served, index)
    if (index > 0) continue
    const etag = { ...JSON_ONLY, 'If-None-Match': String(response.headers.etag) }
    assert.equal((await sender.send('GET', pathOf(id), undefined, etag)).status, 304, about)
  }
  const times = member.entries.flatMap(({ told }) => told?.at ?? [])
  const borders = new Set(times.flatMap((at) => [at - 1_000, at, at + 1_000]).map(secondOf))
  for (const second of borders) {
    const until = Date.parse(second) + 999
    const index = times.findLastIndex((at) => at <= until)
    const headers = { ...JSON_ONLY, 'Accept-Datetime': second }
    const response = await sender.send('GET', path, undefined, headers)
    const isGone = member.values === undefined && index === member.entries.length - 1
    if (index < 0 || isGone || member.entries[index]?.kind === 'Delete') {
      assert.equal(response.status, 404, `${about} at ${second}: ${response.body}`)
      continue
    }
    assertMemento({ ...seen, about: `${about} at ${second}` }, response, served, index)
    assert.equal(response.headers['content-location'], served[index]?.['@id'], about)
  }
}

const NEVER = 'never-used'

/** Byte for byte what an id gets that was never used. */
async function assertNever({ sender, path, member, about }: Seen, below = '', headers = {}): Promise<void> {
  const never = await sender.send('GET', `${path.replace(member.id, NEVER)}${below}`, undefined, headers)
  const { status, body } = await sender.send('GET', path + below, undefined, headers)
  assert.deepEqual([status, body.replaceAll(member.id, NEVER)], [404, never.body], `${about} ${below}`)
}

async function compareMember(seen: Seen): Promise<void> {
  const { model, member, user, sender, path, about } = seen
  const isKept = keepsHistory(model.file, member.kind)
  if (member.values !== undefined && isSeen(member, user)) {
    const response = await sender.send('GET', path, undefined, JSON_ONLY)
    assert.equal(response.status, 200, `${about}: ${response.body}`)
    const shown = response.json()
    assert.deepEqual(valuesIn(model, member.kind, shown), shownTo(seen, member.values), about)
    assert.equal(shown.history !== undefined, isKept, about)
  } else if (isRemembered(model, member) && isSeen(member, user)) {
    const response = await sender.send('GET', path)
    assert.equal(response.status, 410, `${about}: ${response.body}`)
    assert.match(String(response.headers.link), /version-history/)
  } else {
    await assertNever(seen)
    await assertNever(seen, '/history')
    return assertNever(seen, '', { 'Accept-Datetime': secondOf(Date.now()) })
  }
  if (!isKept) return assertNever(seen, '/history')
  await compareMementos(seen, await compareEntries(seen))
}

async function compareRemoved(service: Service, model: KeptModel, user: UserName, kind: Kind): Promise<void> {
  const sender = service.as[user]
  const path = `/${collectionOf(model.file, kind)}?deleted=true`
  const about = `${path} of ${user} ${JSON.stringify(model.file)}`
  if (!keepsHistory(model.file, kind)) {
    assert.equal((await sender.send('GET', path)).status, 400, about)
    return
  }
  type Removed = Record<string, unknown> & { deletion: Entry }
  const served = await readAll<Removed>(sender, `${path}&itemsPerPage=2`)
  const versionOf = ({ entries }: KeptMember) => entries.at(-1)?.told?.version ?? 0
  const expected = model.members
    .filter((one) => one.kind === kind && isRemembered(model, one) && isSeen(one, user))
    .filter(({ entries }) => entries.at(-1)?.kind === 'Delete')
    .toSorted((one, other) => versionOf(other) - versionOf(one))
  const shown = served.map((one) => ({
    path: pathOf(String(one['@id'])),
    values: valuesIn(model, kind, one),
    deletion: [one.deletion['@type'], Date.parse(one.deletion.published)],
    actor: one.deletion.actor && pathOf(one.deletion.actor),
  }))
  assert.deepEqual(
    shown,
    expected.map((member) => {
      const seen: Seen = { model, member, user, sender, path, about }
      const last = member.entries.at(-1) as KeptEntry
      return {
        path: addressOf(model.file, kind, member.id),
        values: shownTo(seen, last.values),
        deletion: ['Delete', last.told?.at],
        actor: actorFor(seen, last),
      }
    }),
    about,
  )
}

/** What every user is shown of every member that is there or was. */
export async function compareAll(service: Service, model: KeptModel, users = NAMES): Promise<void> {
  for (const user of users) {
    for (const member of model.members) {
      const path = addressOf(model.file, member.kind, member.id)
      const about = `${path} as ${user} sees it under ${JSON.stringify(model.file)}`
      await compareMember({ model, member, user, sender: service.as[user], path, about })
    }
    for (const kind of ['shelf', 'book'] as const) await compareRemoved(service, model, user, kind)
  }
}
