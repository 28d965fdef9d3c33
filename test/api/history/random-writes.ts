import assert from 'node:assert/strict'
import type { Choose } from '../query/random-shelf.ts'
import type { SeveralUsers } from '../users.ts'
import {
  type ChangingFile,
  collectionOf,
  declaredOf,
  type Kind,
  keepsHistory,
  NAMES,
  type UserName,
} from './changing-file.ts'
import { entriesOf, pathOf } from './entries.ts'
import {
  type Asked,
  carryOut,
  carryOutAll,
  isSeen,
  judgedOwner,
  type KeptEntry,
  type KeptMember,
  type KeptModel,
  type KeptValues,
  namesFor,
} from './kept-model.ts'

export type Service = SeveralUsers<UserName>

export const addressOf = (file: ChangingFile, kind: Kind, id: unknown): string =>
  `/${collectionOf(file, kind)}/${id}`

const TEXTS = ['a', 'b', 'c'] as const

/** Some values for what the user sees of a member. */
function anyValues(
  { file, members }: KeptModel,
  choose: Choose,
  {
    kind,
    id,
    user,
    owner,
  }: { readonly kind: Kind; readonly id: string; readonly user: UserName; readonly owner: UserName },
): KeptValues {
  const idOf = (wanted: Kind) => {
    // Some of these are gone, and some are hidden.
    const all = members.filter((one) => one.kind === wanted && one.id !== id)
    const there = all.filter((one) => one.values !== undefined && isSeen(one, user))
    const from = there.length > 0 && choose(true, true, true, false) ? there : all
    return from.length === 0 ? undefined : choose(...(from as [KeptMember, ...KeptMember[]])).id
  }
  const anyValue = ({ name, type }: ReturnType<typeof declaredOf>[number]): unknown => {
    if (type === 'shelf' || type === 'book') return idOf(type)
    if (type === 'integer') return choose(1, 2, 30)
    if (name === 'size') return choose('1', '2', '30', 'x')
    if (name === 'isbn') return choose('i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7', 'i8')
    return `${name} ${choose(...TEXTS)}`
  }
  const seen = namesFor(file, kind, user, owner)
  const some = declaredOf(file, kind).filter(({ name }) => seen.includes(name))
  return Object.fromEntries(
    some.flatMap((declared): [string, unknown][] => {
      const isRequired = declared.name === 'title' || declared.name === 'name'
      if (!isRequired && choose(true, true, false)) return []
      const value = anyValue(declared)
      return value === undefined ? [] : [[declared.name, value]]
    }),
  )
}

/** As a body has them. */
export function bodyOf(file: ChangingFile, kind: Kind, values: KeptValues): Record<string, unknown> {
  const types = new Map(declaredOf(file, kind).map(({ name, type }) => [name, type]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = types.get(name)
      const isLink = value !== null && (type === 'shelf' || type === 'book')
      return [name, isLink ? `/api${addressOf(file, type, value)}` : value]
    }),
  )
}

/** A write of a user that has an address of its own. */
function anyAsked(model: KeptModel, choose: Choose, user: UserName, newId: string): Asked {
  const { file, members } = model
  const kind = choose<Kind>('shelf', 'book', 'book', 'book')
  const all = members.filter((one) => one.kind === kind)
  const seen = all.filter((one) => isSeen(one, user))
  // Few members, so that they have much of a past.
  const some = (choose(true, true, true, false) ? seen : all).slice(-10)
  const creation = (): Asked => ({
    ...{ is: 'create', kind, id: newId },
    values: anyValues(model, choose, { kind, id: newId, user, owner: user }),
  })
  if (some.length < 3 || choose(true, false, false, false, false)) return creation()
  const member = choose(...(some as [KeptMember, ...KeptMember[]]))
  const isThere = member.values !== undefined && isSeen(member, user)
  const act = choose('update', 'update', 'update', 'replace', 'delete', 'restore', 'restore', 'bring back')
  const values = () => anyValues(model, choose, { kind, id: member.id, user, owner: judgedOwner(member) })
  if (act === 'delete') return { is: 'delete', member }
  if (act === 'replace' && isThere) return { is: 'replace', member, values: values() }
  if (act === 'restore' || act === 'bring back') {
    if (!keepsHistory(file, kind) || !isSeen(member, user) || member.entries.length === 0) return creation()
    // By its owner alone: restored.test.ts says what is shown of a member that has another owner since.
    if (act === 'bring back' && user !== judgedOwner(member)) return creation()
    return { is: act, member, entry: choose(...(member.entries as [KeptEntry, ...KeptEntry[]])) }
  }
  const patch = Object.entries(values()).map(([name, value]) => {
    const isRequired = name === 'title' || name === 'name'
    return [name, isRequired ? value : choose(value, value, value, null)]
  })
  const given = patch.filter(([name]) => (name !== 'title' && name !== 'name') || choose(true, false))
  return { is: 'update', member, values: Object.fromEntries(given) }
}

const NEW = { 'If-None-Match': '*' }

/** Sends it, and compares the status, which it returns. */
async function sendOne(
  { as }: Service,
  model: KeptModel,
  user: UserName,
  asked: Asked,
  isPosted: boolean,
): Promise<number> {
  const { file } = model
  const sender = as[user]
  const about = () => JSON.stringify({ file, user, asked })
  if (asked.is === 'create' && isPosted) {
    const { kind, values } = asked
    const path = `/${collectionOf(file, kind)}`
    const { status, headers, body } = await sender.send('POST', path, bodyOf(file, kind, values))
    const id = String(headers.location).split('/').at(-1) ?? ''
    assert.equal(status, carryOut(model, user, { ...asked, id }), `${about()}: ${body}`)
    return status
  }
  if (asked.is === 'create') {
    const { kind, id, values } = asked
    const path = addressOf(file, kind, id)
    const { status, body } = await sender.send('PUT', path, bodyOf(file, kind, values), NEW)
    assert.equal(status, carryOut(model, user, asked), `${about()}: ${body}`)
    return status
  }
  const { member } = asked
  const path = addressOf(file, member.kind, member.id)
  if (asked.is === 'restore' || asked.is === 'bring back') {
    const entries = await entriesOf(sender, `${path}`)
    const entry = entries.at(-1 - member.entries.indexOf(asked.entry))
    assert.ok(entry, about())
    const { status, body } =
      asked.is === 'restore'
        ? await sender.send('POST', `${pathOf(entry['@id'])}/restore`)
        : await sender.send('PUT', path, (await sender.send('GET', pathOf(entry['@id']))).body, NEW)
    assert.equal(status, carryOut(model, user, asked), `${about()}: ${body}`)
    return status
  }
  const method = { replace: 'PUT', update: 'PATCH', delete: 'DELETE' }[asked.is]
  const values = 'values' in asked ? bodyOf(file, member.kind, asked.values) : undefined
  const { status, body } = await sender.send(method, path, values)
  assert.equal(status, carryOut(model, user, asked), `${about()}: ${body}`)
  return status
}

type Batched = Extract<Asked, { is: 'create' | 'replace' | 'update' | 'delete' }>
const isBatched = (asked: Asked): asked is Batched => asked.is !== 'restore' && asked.is !== 'bring back'

async function sendBatch({ as }: Service, model: KeptModel, user: UserName, all: Batched[]): Promise<number> {
  const { file } = model
  const operation = all.map((asked) => {
    const { kind, id } = asked.is === 'create' ? asked : asked.member
    return {
      method: { create: 'PUT', replace: 'PUT', update: 'PATCH', delete: 'DELETE' }[asked.is],
      target: addressOf(file, kind, id).slice(1),
      ...(asked.is === 'create' && { ifNoneMatch: '*' }),
      ...('values' in asked && { body: bodyOf(file, kind, asked.values) }),
    }
  })
  const { status, body } = await as[user].send('POST', '/batch', { operation })
  const isDone = carryOutAll(model, user, all)
  assert.equal(status === 200, isDone, `${JSON.stringify({ file, user, operation })}: ${body}`)
  return isDone ? 200 : 400
}

/** One write of one user, or several as one; returns what became of it. `name`: for new members. */
export async function writeAny(
  service: Service,
  model: KeptModel,
  choose: Choose,
  name: string,
): Promise<string> {
  const user = choose(...(NAMES as [UserName, ...UserName[]]))
  const isPosted = choose(true, false)
  const first = anyAsked(model, choose, user, name)
  if (choose(true, true, true, false) || !isBatched(first))
    return `${first.is} ${await sendOne(service, model, user, first, isPosted)}`
  const further = [1, 2].map((index) => anyAsked(model, choose, user, `${name}-${index}`)).filter(isBatched)
  return `batch ${await sendBatch(service, model, user, [first, ...further])}`
}
