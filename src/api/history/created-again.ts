import { setImmediate as turn } from 'node:timers/promises'
import type { JsonObject } from '../../json.ts'
import type { HistoryEntry, MemberContent, NewMember } from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import type { Relation } from '../access/ties.ts'
import type { ClassDependencies, Write } from '../types.ts'

/** A body for a new member. */
export interface SentMember {
  readonly sent: JsonObject
  readonly id: string
  readonly time: number
  /** The only value that `@id` may have. */
  readonly address: string | undefined
}

/** The last state of a member that is gone, since a body that brings it back cannot say everything. */
export interface Former {
  readonly entry: HistoryEntry
  readonly relation: Relation
  /**
   * The states before it that the user may see, newest first, up to `most` of them: the body may be the representation of
   * one.
   */
  earlier(most: number): Promise<readonly HistoryEntry[]>
}

/**
 * A deleted member that is created again: what its user may not see comes back (history.md, On the wire). If the user
 * would now see properties that were hidden before, nothing hidden comes back, and the body is compared with nothing
 * hidden. `relation`: that of the new member to the user.
 */
export async function createdAgain(
  { access, inputFor }: ClassDependencies,
  { principal, references }: Write,
  { sent, id, time, address }: SentMember,
  { former, relation }: { readonly former: Former; readonly relation: Relation },
): Promise<NewMember> {
  const { create, replace } = inputFor(relation)
  const { entry: last } = former
  const unseen = access.views?.of(former.relation).hidden ?? NONE
  const hidden = access.views?.of(relation).hidden ?? NONE
  if ([...unseen].some((name) => !hidden.has(name)))
    return readLike(former, sent, (then = last) => {
      const repeated = { then, last, unseen }
      return create(sent, id, time, { address, creator: principal, references, repeated })
    })
  const content = await readLike(former, sent, (then) =>
    replace(sent, last, time, { writer: principal, references, then }),
  )
  return { id, owner: principal?.number, ...content }
}

const NONE: ReadonlySet<string> = new Set()

/** How many characters of bodies one request may have read: each comparison with an earlier state reads the whole body. */
const MOST_READ = 4_000_000

/**
 * Reads a body that may be the representation of any state of a member that is gone, with the read-only values that it had
 * then (history.md, On the wire). If it is none of them, its violations are those against the last one.
 */
async function readLike<T extends MemberContent>(
  former: Former,
  sent: JsonObject,
  readAs: (then?: HistoryEntry) => T,
): Promise<T> {
  try {
    return readAs()
  } catch (refusal) {
    if (!isReadOnly(refusal)) throw refusal
    const most = Math.ceil(MOST_READ / JSON.stringify(sent).length)
    for (const then of await former.earlier(most)) {
      // A body may be long, and other requests wait.
      await turn()
      try {
        return readAs(then)
      } catch (error) {
        if (!isReadOnly(error)) throw error
      }
    }
    throw refusal
  }
}

const isReadOnly = (error: unknown): boolean =>
  error instanceof Problem && error.violations.some(({ code }) => code === 'ReadOnly')
