// A model that keeps everything that members were, as plainly as it can be said.
import {
  type ChangingFile,
  type Declared,
  declaredOf,
  isStaff,
  type Kind,
  keepsHistory,
  type UserName,
} from './changing-file.ts'

/** By the names under which they are stored; a link is the id of its target. */
export type KeptValues = Readonly<Record<string, unknown>>

export interface KeptEntry {
  readonly kind: 'Create' | 'Update' | 'Delete'
  readonly actor: UserName
  readonly owner: UserName
  values: KeptValues
  /** What the server said of it first; undefined until then. */
  told?: { readonly version: number; readonly at: number }
}

export interface KeptMember {
  readonly kind: Kind
  readonly id: string
  /** Undefined if it is gone. */
  values: KeptValues | undefined
  owner: UserName
  readonly entries: KeptEntry[]
}

export interface KeptModel {
  readonly file: ChangingFile
  readonly members: readonly KeptMember[]
}

const withoutNulls = (values: KeptValues): KeptValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

/** A value in today's type; undefined if it has none. */
function inType(value: unknown, { type }: Declared): unknown {
  if (type === 'integer') return /^\d+$/.test(String(value)) ? Number(value) : undefined
  return value === undefined ? undefined : String(value)
}

/** What is shown of values under this file, to a user who sees everything. */
export const inToday = (file: ChangingFile, kind: Kind, values: KeptValues): KeptValues =>
  withoutNulls(
    Object.fromEntries(
      declaredOf(file, kind).map((declared) => [declared.name, inType(values[declared.name], declared)]),
    ),
  )

/** The names of the properties that this user sees in a member of this owner. */
export const namesFor = (file: ChangingFile, kind: Kind, user: UserName, owner: UserName): string[] =>
  declaredOf(file, kind)
    .filter(({ view }) => view === undefined || (view === 'staff' ? isStaff(user) : user === owner))
    .map(({ name }) => name)

export const pick = (values: KeptValues, names: readonly string[]): KeptValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

export const without = (values: KeptValues, names: readonly string[]): KeptValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** The owner by whom rights are judged: of now, or for a member that is gone, of its last entry. */
export const judgedOwner = ({ values, owner, entries }: KeptMember): UserName =>
  values === undefined ? (entries.at(-1)?.owner ?? owner) : owner

const mayReadOf = (user: UserName, kind: Kind, owner: UserName): boolean =>
  kind === 'shelf' || isStaff(user) || user === owner

/** Whether the user may read it, or what it was. */
export const isSeen = (member: KeptMember, user: UserName): boolean =>
  mayReadOf(user, member.kind, judgedOwner(member))

/** A member that is gone, and of which this file shows that it was there. */
export const isRemembered = ({ file }: KeptModel, { kind, values, entries }: KeptMember): boolean =>
  values === undefined && entries.length > 0 && keepsHistory(file, kind)

/** Writes a state, and its entry where the class keeps a history. */
function note(
  { file }: KeptModel,
  member: KeptMember,
  kind: KeptEntry['kind'],
  actor: UserName,
  values: KeptValues,
): void {
  const kept = withoutNulls(values)
  if (keepsHistory(file, member.kind)) member.entries.push({ kind, actor, owner: member.owner, values: kept })
  member.values = kind === 'Delete' ? undefined : kept
}

/** What a user asks for. */
export type Asked =
  | { readonly is: 'create'; readonly kind: Kind; readonly id: string; readonly values: KeptValues }
  | { readonly is: 'replace' | 'update'; readonly member: KeptMember; readonly values: KeptValues }
  | { readonly is: 'delete'; readonly member: KeptMember }
  | AskedEntry

/** For an entry again: by its `restore`, or by a PUT of what the user sees of it. */
export interface AskedEntry {
  readonly is: 'restore' | 'bring back'
  readonly member: KeptMember
  readonly entry: KeptEntry
}

const find = ({ members }: KeptModel, kind: Kind, id: unknown): KeptMember | undefined =>
  members.find((one) => one.kind === kind && one.id === id)

const isThere = (model: KeptModel, kind: Kind, id: unknown): boolean =>
  find(model, kind, id)?.values !== undefined

/** Whether links lead somewhere, as far as the user may see, and unique values are free. */
function isValid(model: KeptModel, user: UserName, member: KeptMember, values: KeptValues): boolean {
  const { shelf, sequel, isbn } = values
  const others = model.members.filter((one) => one.kind === 'book' && one !== member && one.values)
  if (isbn !== undefined && others.some((one) => one.values?.isbn === isbn)) return false
  if (shelf !== undefined && !isThere(model, 'shelf', shelf)) return false
  if (sequel === undefined || sequel === member.values?.sequel) return true
  const target = find(model, 'book', sequel)
  return target?.values !== undefined && isSeen(target, user)
}

/** The others that go or change when members go; undefined if that is refused. */
function othersOf(model: KeptModel, user: UserName, root: KeptMember) {
  const there = model.members.filter((one) => one.kind === 'book' && one.values !== undefined && one !== root)
  const gone = root.kind === 'shelf' ? there.filter(({ values }) => values?.shelf === root.id) : []
  const ids = new Set([...gone, ...(root.kind === 'book' ? [root] : [])].map(({ id }) => id))
  const changed = there.filter((one) => !gone.includes(one) && ids.has(String(one.values?.sequel)))
  return [...gone, ...changed].every((one) => isSeen(one, user)) ? { gone, changed } : undefined
}

interface Written {
  readonly kind: KeptEntry['kind']
  readonly values: KeptValues
  readonly owner?: UserName
}

/** Whether it was written; nothing is if links lead nowhere or values are taken. */
function write(model: KeptModel, user: UserName, member: KeptMember, written: Written): boolean {
  const { kind, values, owner = member.owner } = written
  const kept = withoutNulls(values)
  if (!isValid(model, user, member, kept)) return false
  member.owner = owner
  note(model, member, kind, user, kept)
  return true
}

function create(model: KeptModel, user: UserName, asked: Extract<Asked, { is: 'create' }>): number {
  const { kind, id } = asked
  const known = find(model, kind, id)
  if (known?.values !== undefined) return 412
  const member: KeptMember = known ?? { kind, id, owner: user, entries: [], values: undefined }
  // A member that is gone comes back with what its user does not see.
  const isBack = known !== undefined && isRemembered(model, known) && isSeen(known, user)
  const seen = namesFor(model.file, kind, user, user)
  const unseen = isBack ? unseenBy(model.file, kind, seen, known.entries.at(-1)?.values ?? {}) : {}
  const values = { ...unseen, ...asked.values }
  if (!write(model, user, member, { kind: 'Create', values, owner: user })) return 422
  if (known === undefined) (model.members as KeptMember[]).push(member)
  return 201
}

function takeBack(model: KeptModel, user: UserName, { is, member, entry }: AskedEntry): number {
  const { file } = model
  const { kind, id, values: present } = member
  const then = inToday(file, kind, entry.values)
  if (is === 'bring back') {
    const values = pick(then, namesFor(file, kind, user, judgedOwner(member)))
    return create(model, user, { is: 'create', kind, id, values })
  }
  if (!isSeen(member, user) || !keepsHistory(file, kind)) return 404
  if (present === undefined) {
    // What the user does not see, now or then, is as it was last.
    const seen = namesFor(file, kind, user, judgedOwner(member))
    const seenThen = namesFor(file, kind, user, entry.owner)
    const names = seen.filter((name) => seenThen.includes(name))
    const last = member.entries.at(-1)?.values ?? {}
    const values = { ...unseenBy(file, kind, names, last), ...pick(then, names) }
    return write(model, user, member, { kind: 'Create', values, owner: entry.owner }) ? 201 : 422
  }
  const seen = namesFor(file, kind, user, member.owner)
  const values = { ...without(present, seen), ...pick(then, seen) }
  return write(model, user, member, { kind: 'Update', values }) ? 200 : 422
}

function remove(model: KeptModel, user: UserName, member: KeptMember): number {
  const others = othersOf(model, user, member)
  if (others === undefined) return 409
  for (const one of others.changed) note(model, one, 'Update', user, without(one.values ?? {}, ['sequel']))
  for (const one of [...others.gone, member]) note(model, one, 'Delete', user, one.values ?? {})
  return 204
}

/** Carries out what a user asks for; returns the status. Nothing is changed if that is an error. */
export function carryOut(model: KeptModel, user: UserName, asked: Asked): number {
  if (asked.is === 'create') return create(model, user, asked)
  if ('entry' in asked) return takeBack(model, user, asked)
  const { member } = asked
  const { kind, values: present, owner } = member
  if (present === undefined) return isRemembered(model, member) && isSeen(member, user) ? 410 : 404
  if (!isSeen(member, user)) return 404
  if (asked.is === 'delete') return remove(model, user, member)
  const seen = namesFor(model.file, kind, user, owner)
  const values = { ...(asked.is === 'replace' ? without(present, seen) : present), ...asked.values }
  return write(model, user, member, { kind: 'Update', values }) ? 200 : 422
}

/** What a user who sees these properties does not see: values for others, and those that the file does not have. */
function unseenBy(file: ChangingFile, kind: Kind, seen: readonly string[], values: KeptValues): KeptValues {
  const declared = declaredOf(file, kind).map(({ name }) => name)
  const hidden = declared.filter((name) => !seen.includes(name))
  return { ...without(values, declared), ...pick(inToday(file, kind, values), hidden) }
}

const renamed = (values: KeptValues, from: string, to: string): KeptValues => {
  if (values[from] === undefined || values[to] !== undefined) return values
  const { [from]: value, ...rest } = values
  return { ...rest, [to]: value }
}

/** The model under another file; undefined if members refuse it. Entries never do. */
export function under(model: KeptModel, file: ChangingFile): KeptModel | undefined {
  const { memo, formerMemo } = file
  const books = model.members.filter(({ kind }) => kind === 'book')
  const there = books.flatMap(({ values }) => (values === undefined ? [] : [values]))
  if (formerMemo !== undefined && there.some((one) => one[memo] !== undefined))
    if (there.some((one) => one[formerMemo] !== undefined)) return undefined
  const isNumber = (value: unknown) => value === undefined || /^\d+$/.test(String(value))
  if (file.size === 'integer' && !there.every(({ size }) => isNumber(size))) return undefined
  if (formerMemo !== undefined)
    for (const member of books) {
      if (member.values) member.values = renamed(member.values, formerMemo, memo)
      for (const entry of member.entries) entry.values = renamed(entry.values, formerMemo, memo)
    }
  return { file, members: model.members }
}

/** All of it, or nothing. */
export function carryOutAll(model: KeptModel, user: UserName, all: readonly Asked[]): boolean {
  const trial = structuredClone(model)
  const inTrial = (asked: Asked): Asked => {
    if (!('member' in asked)) return asked
    const { kind, id } = asked.member
    return { ...asked, member: find(trial, kind, id) } as Asked
  }
  if (!all.every((asked) => carryOut(trial, user, inTrial(asked)) < 300)) return false
  for (const asked of all) carryOut(model, user, asked)
  return true
}
