import { COMMAND_SETTINGS } from '../../config/index.ts'
import type { ClassSchema, MemberName } from '../../members/index.ts'
import { findTraces, type MemberTraces, purgeTraces } from '../../members/migration/purge.ts'
import { explainOpenFailure } from '../../service/database.ts'
import { maintain } from '../../store/open.ts'
import { count } from '../../text.ts'
import { hasCollection, isSingle, type Model, ofData } from '../../vocabulary/index.ts'
import { ID } from '../../vocabulary/names.ts'
import { openMigrated } from '../database.ts'
import { commandProblem } from '../problems.ts'
import { entryCount, type Purge } from './ends.ts'

/** How many members that link to the one to remove a message names. */
const MAX_NAMED = 10
/** How often a member that is added again meanwhile is removed. */
const ROUNDS = 3

/** `hydrant purge <api-file> --member <address or collection/id>`. */
export async function purgeMember(work: Purge): Promise<void> {
  const { call, db, model, shapes, confirm, finish } = work
  const address = call.setting(COMMAND_SETTINGS.purgedMember) ?? ''
  const member = readAddress(ofData(model), call.base(), address)
  const traces = await explainOpenFailure(db, () =>
    maintain(db, 'read', (store) => findTraces(store, member)),
  )
  const { isThere, entries, changes } = traces
  if (!isThere && entries + changes === 0)
    throw commandProblem('NoTraces', { address: pathOf(member, shapes) })
  requireUnlinked(member, traces, shapes)
  const lines = `  ${pathOf(member, shapes)}${isThere ? '' : ', which is gone,'} with ${entryCount(entries)} of its history and ${count(changes, 'change')} in the log`
  await confirm(lines)
  const forget = () => maintain(db, 'write', (store) => purgeTraces(store, member, shapes))
  for (let round = 0; !(await explainOpenFailure(db, forget)); round++) {
    if (round === ROUNDS) throw commandProblem('MemberAddedAgain', { address: pathOf(member, shapes) })
    await remove(work, member)
  }
  await finish([{ class: member.className, id: member.id, entries, changes }], `Removed:\n${lines}`)
}

/** Like any removal, updates totals and indexes. */
async function remove({ db, file, shapes }: Purge, member: MemberName): Promise<void> {
  const store = await openMigrated(db, shapes, { verb: 'purge', file })
  try {
    const removed = await store.members.remove(member.className, member.id, undefined)
    if (removed.outcome === 'linked') requireUnlinked(member, { linkedFrom: removed.from }, shapes)
  } finally {
    await store.close()
  }
}

function requireUnlinked(
  member: MemberName,
  { linkedFrom, rememberedBy = [] }: Pick<MemberTraces, 'linkedFrom'> & Partial<MemberTraces>,
  shapes: readonly ClassSchema[],
): void {
  const address = pathOf(member, shapes)
  if (linkedFrom.length > 0)
    throw commandProblem('MemberLinked', {
      address,
      from: linkedFrom.slice(0, MAX_NAMED).map((one) => pathOf(one, shapes)),
    })
  if (rememberedBy.length > 0)
    throw commandProblem('MemberRemembered', {
      address,
      names: rememberedBy.map(({ className, id }) => `${className}/${id}`),
    })
}

/** The member's path below the base URL; not known for a class that the API file hides. */
const pathOf = ({ className, id }: MemberName, shapes: readonly ClassSchema[]): string =>
  shapes
    .find(({ name }) => name === className)
    ?.addressOf(id)
    .slice(1) ?? `${className}/${id}`

/** A member by its address, by the path of that, or by what comes after the path of the API. */
function readAddress(model: Model, base: string, address: string): MemberName {
  const path = address.startsWith(`${base}/`) ? address.slice(base.length) : address
  const below = new URL(base).pathname.replace(/\/$/, '')
  const found =
    readPath(model, path.replace(/^\//, '')) ??
    (path.startsWith(`${below}/`) ? readPath(model, path.slice(below.length + 1)) : undefined)
  if (found !== undefined) return found
  throw commandProblem('NotAMemberAddress', { address, base }, { at: { source: '--member' } })
}

function readPath(model: Model, path: string): MemberName | undefined {
  const [place = '', id, ...more] = path.split('/')
  if (more.length > 0 || (id !== undefined && !ID.test(id))) return undefined
  const isAt = (name: string) => place === name || place === encodeURIComponent(name)
  const cls = model.classes.find((one) =>
    id === undefined ? isSingle(one) && isAt(one.name) : hasCollection(one) && isAt(one.collection),
  )
  return cls && { className: cls.name, id: id ?? cls.name }
}
