import type { Added, NewMember } from '../store.ts'
import { ADD, ADD_UNCOUNTED, type Addition, addParams } from './add-statement.ts'
import type { WrittenClass } from './class-writing.ts'
import { uniqueKeys } from './key-rows.ts'
import type { Claims } from './ordering.ts'
import type { Run, Writing } from './pool.ts'
import { findReasons } from './refusal.ts'
import { busy } from './retrying.ts'

/** What is said to be in the way may be gone when it is looked for; so often it is tried anew. */
const TRIES = 5

/** What a new member has for itself, its id and its unique values, and the members that it needs. */
export function claimsOf({ name, tables }: WrittenClass, { id, links, keys }: NewMember): Claims {
  return {
    owns: [
      memberClaim(name, id),
      ...uniqueKeys(tables.shapes, keys).map(({ property, key }) => `${name} ${property} ${key}`),
    ],
    needs: links.map((link) => memberClaim(link.className, link.id)),
  }
}

const memberClaim = (className: string, id: string): string => `${className}/${id}`

/**
 * Adds members that have nothing to do with each other, and tells what has become of each as soon as that is certain.
 * Where it throws, those of whom nothing was told were not added, unless the connection broke.
 */
export async function addTogether<T extends Addition>(
  { run, write }: Writing,
  cls: WrittenClass,
  additions: readonly T[],
  tell: (addition: T, added: Added) => void,
  counts = true,
): Promise<void> {
  let left = additions
  for (let tries = 0; tries < TRIES; tries++) {
    left = await addSome(write, cls, left, tell, counts)
    if (left.length === 0) return
    left = await tellReasons(run, cls, left, tell)
    if (left.length === 0) return
  }
  throw busy()
}

/** Returns those that were not added. */
async function addSome<T extends Addition>(
  write: Run,
  cls: WrittenClass,
  additions: readonly T[],
  tell: (addition: T, added: Added) => void,
  counts: boolean,
): Promise<T[]> {
  const params = addParams(cls, additions)
  const rows = await write<[place: number, version: number]>(cls.textOf(counts ? ADD : ADD_UNCOUNTED), params)
  const versions = new Map(rows)
  return additions.filter((addition, place) => {
    const version = versions.get(place)
    if (version === undefined) return true
    tell(addition, { outcome: 'added', version })
    return false
  })
}

/** Returns those that nothing is in the way of any more. */
async function tellReasons<T extends Addition>(
  run: Run,
  cls: WrittenClass,
  additions: readonly T[],
  tell: (addition: T, added: Added) => void,
): Promise<T[]> {
  const reasons = await findReasons(
    run,
    cls,
    additions.map(({ member }) => ({ member, sequence: undefined })),
  )
  return additions.filter((addition, place) => {
    const reason = reasons[place]
    if (reason !== undefined) tell(addition, reason)
    return reason === undefined
  })
}
