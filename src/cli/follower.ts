import { createEventIds, type EventIds } from '../api/index.ts'
import { type Change, type FollowerSummary, keyOfMember, MAX_WAITING } from '../members/index.ts'
import { Problem } from '../problem.ts'
import type { Store } from '../store/index.ts'
import { commandOn, withExisting } from './database.ts'
import { table, time } from './formats.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'

/** The process that has a follower says so every few seconds: after this time no program has it. */
const LATELY_MS = 60_000

/** `hydrant follower list` */
export async function listFollowers(call: Invocation): Promise<void> {
  const db = call.database()
  const entries = await withExisting(db, async (_, store) => {
    const ids = await openIds(store)
    return Promise.all((await store.followers.list()).map((one) => describe(one, store, ids)))
  })
  const rows = entries.map((one) => [
    ...[one.name, one.position, `${one.delaySeconds} s`, one.waiting, one.lost, one.state],
    one.lastError === null ? '-' : `${one.lastError.at} ${inOneLine(one.lastError.text)}`,
  ])
  const headings = ['follower', 'position', 'delay', 'waiting', 'lost', 'state', 'last error']
  call.say(entries, rows.length === 0 ? 'There are no followers.' : table(headings, rows))
}

async function describe(summary: FollowerSummary, { changes }: Store, ids: EventIds) {
  const { name, position, waiting, lost, paused, error, since, seenAt, isHeld, nextAt, now } = summary
  const last = await changes.find(position)
  return {
    ...{ name, position, event: last === undefined ? null : ids.of(last) },
    delaySeconds: nextAt === undefined ? 0 : Math.round(Math.max(0, now - nextAt) / 1_000),
    ...{ waiting, lost, state: stateOf(summary), paused: paused ?? null },
    lastError: error === undefined ? null : { at: time(error.at), text: error.text },
    ...{ since: time(since), seenAt: time(seenAt), isHeld },
  }
}

function stateOf({ paused, waiting, isHeld, seenAt, now }: FollowerSummary): string {
  const states = [
    ...(paused === undefined ? [] : [`paused: ${inOneLine(paused)}`]),
    ...(waiting < MAX_WAITING ? [] : ['held up, since so many members wait']),
    ...(isHeld || now - seenAt < LATELY_MS ? [] : [`in no program since ${time(seenAt)}`]),
  ]
  if (states.length > 0) return states.join('; ')
  if (!isHeld) return 'stopped'
  return waiting > 0 ? 'retrying' : 'running'
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** `hydrant follower skip <name>` */
export async function skipChange(call: Invocation, name: string): Promise<void> {
  const db = call.database()
  const skipped = await withExisting(db, async (_, store) => {
    await requireFollower(store, name, db)
    const wait = await store.followers.skip(name)
    if (wait === undefined) throw commandProblem('NothingFails', { name })
    const change = await store.changes.find(wait.position)
    const event = change === undefined ? null : (await openIds(store)).of(change)
    return { follower: name, member: keyOfMember(wait), event, attempts: wait.attempts, error: wait.error }
  })
  const { member, event, error } = skipped
  call.say(
    skipped,
    `${name} passes over the change ${event ?? 'that was lost'} of ${member}, which has failed: ${inOneLine(error)}`,
  )
}

/** `hydrant follower resume <name>` */
export async function resumeFollower(call: Invocation, name: string): Promise<void> {
  const db = call.database()
  await withExisting(db, async (_, store) => {
    await requireFollower(store, name, db)
    if (!(await store.followers.resume(name))) throw commandProblem('NotPaused', { name })
  })
  call.say({ follower: name, resumed: true }, `${name} goes on.`)
}

/** `hydrant follower rewind <name> <event>` */
export async function rewindFollower(call: Invocation, name: string, event: string): Promise<void> {
  const db = call.database()
  const change = await withExisting(db, async (_, store) => {
    await requireFollower(store, name, db)
    const found = await findEvent(await openIds(store), event)
    // The event itself is handled again.
    if (!(await store.followers.rewind(name, found.position - 1)))
      throw commandProblem('NotYetThere', { name, event })
    return found
  })
  const member = keyOfMember(change)
  call.say(
    { follower: name, event, position: change.position - 1, member },
    `${name} goes back to the change of ${member} at ${time(change.at)}: from there on it is called again.`,
  )
}

async function requireFollower({ followers }: Store, name: string, db: string): Promise<void> {
  const known = (await followers.list()).map((one) => one.name)
  if (!known.includes(name))
    throw commandProblem('NoFollower', { name, known, command: commandOn(db, 'follower list') })
}

const openIds = async ({ auth, changes }: Store): Promise<EventIds> =>
  createEventIds({ secret: await auth.nonceSecret(), base: '', changes }, await changes.epoch())

/** An id, or the address of an event, which ends with it. */
async function findEvent(ids: EventIds, typed: string): Promise<Change> {
  const id = typed.slice(typed.lastIndexOf('#') + 1)
  try {
    const found = await ids.read(id, {})
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'EventIdGone') throw commandProblem('EventGone', { event: id })
    if (error.code !== 'InvalidEventId') throw error
  }
  throw commandProblem('NotAnEvent', { event: id })
}
