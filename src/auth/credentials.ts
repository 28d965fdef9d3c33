import { isUtf8 } from 'node:buffer'
import { hash as hashText, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { QueueSize } from '../fair-queue.ts'
import { MAX_NAME_BYTES, MAX_SENT_BYTES, nameKey, readName, readParaphrase } from './rules.ts'
import { isTokenShaped } from './token.ts'

/** The parameters of argon2id in authentication.md (Credentials); @node-rs/argon2 hashes off the main thread. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$'

/**
 * Leaves a core to everything else (authentication.md, Credentials), so that a flood of exchanges cannot use up all
 * processor time or all memory. The limit is for a host, not for a process: with several processes, the first one has the
 * slots, and cli/workers/ asks it for each.
 */
export const hashQueueSize = (): QueueSize => ({
  slots: Math.max(1, availableParallelism() - 1),
  maxWaiting: 512,
})

export function hashParaphrase(paraphrase: string): Promise<string> {
  return hash(paraphrase, PARAMETERS)
}

/** Whether a paraphrase matches a hash, which is undefined if the user is unknown. */
export type ParaphraseCheck = (paraphraseHash: string | undefined, paraphrase: string) => Promise<boolean>

/**
 * A wrong paraphrase costs one hash with each set of parameters in use, even for an unknown user: for sets that are not
 * the user's own, a decoy hash is checked that nothing matches. So neither response nor time reveals whether a user
 * exists. `inUse`: the sets that are known at start. Others are added when they are first seen; Hydrant itself writes
 * only the current one.
 */
export function createParaphraseCheck(inUse: readonly string[] = [], verifyHash = verify): ParaphraseCheck {
  const decoys = new Map([CURRENT, ...inUse].map((parameters) => [parameters, createDecoy(parameters)]))
  return async (paraphraseHash, paraphrase) => {
    const own = paraphraseHash && parametersOf(paraphraseHash)
    if (own && !decoys.has(own)) decoys.set(own, createDecoy(own))
    if (paraphraseHash !== undefined && (await verifyHash(paraphraseHash, paraphrase))) return true
    for (const [parameters, hash] of decoys) {
      // Parameters that argon2 refuses must not affect other users.
      if (parameters !== own) await verifyHash(hash, paraphrase).catch(() => false)
    }
    return false
  }
}

export const needsUpgrade = (paraphraseHash: string): boolean => !paraphraseHash.startsWith(CURRENT)

/** The part before the salt in PHC form. */
const parametersOf = (paraphraseHash: string): string | undefined => /^\$.*,p=\d+\$/.exec(paraphraseHash)?.[0]

const createDecoy = (parameters: string): string => `${parameters}${base64(16)}$${base64(32)}`
const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')

/** The three authentication headers, unverified. A malformed token is undefined; the others are as sent. */
export interface AuthHeaders {
  readonly token: string | undefined
  readonly nonce: string | undefined
  readonly authorization: string | undefined
}

/** The user that credentials claim to be of: by id, or by the key of a name (`nameKey`). */
export type ClaimedUser = { readonly userId: number } | { readonly nameKey: string }

export interface Credentials {
  readonly claimed: ClaimedUser
  readonly paraphrase: string
}

/**
 * Undefined if one of the three headers occurs twice: a proxy may have read the other one (authentication.md, order of
 * decisions, 0). Takes `rawHeaders` because node:http joins or drops repeated headers.
 */
export function readAuthHeaders(rawHeaders: readonly string[]): AuthHeaders | undefined {
  let token: string | undefined
  let nonce: string | undefined
  let authorization: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    const value = rawHeaders[index + 1] as string
    // Compares the length first, which rules out nearly every header.
    if (name.length === 15 && name.toLowerCase() === 'x-authorization') {
      if (token !== undefined) return undefined
      token = value
    } else if (name.length === 16 && name.toLowerCase() === 'x-authentication') {
      if (nonce !== undefined) return undefined
      nonce = value
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (authorization !== undefined) return undefined
      authorization = value
    }
  }
  return {
    token: token !== undefined && isTokenShaped(token) ? token : undefined,
    nonce,
    authorization,
  }
}

/** `Basic `, and in base64 a name, which is longer than any id, the colon and a paraphrase. */
const LONGEST_BASIC = 6 + 4 * Math.ceil((MAX_NAME_BYTES + 1 + MAX_SENT_BYTES) / 3)

/**
 * RFC 7617 §2, strictly: one space, canonical base64 with padding, UTF-8, split at the first colon. Called only for a
 * request with a valid nonce, and checks the length first (authentication.md, Step B in order): anybody may send
 * credentials.
 */
export function readBasic(authorization: string): Credentials | undefined {
  if (authorization.length > LONGEST_BASIC) return undefined
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) return undefined
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const claimed = readClaimed(text.slice(0, colon))
  if (claimed === undefined) return undefined
  const read = readParaphrase(text.slice(colon + 1))
  return 'problem' in read ? undefined : { claimed, paraphrase: read.paraphrase }
}

/** Digits alone are never a name. */
function readClaimed(text: string): ClaimedUser | undefined {
  const userId = readUserId(text)
  if (userId !== undefined) return { userId }
  const read = readName(text)
  return 'problem' in read ? undefined : { nameKey: nameKey(read.name) }
}

/**
 * The number by which the throttle counts attempts: the id, or for a name a negative number, made of 52 bits of its hash.
 * So nothing links the two, and what was typed in place of a name, perhaps a paraphrase, is not stored.
 */
export const throttleNumber = (claimed: ClaimedUser): number =>
  'userId' in claimed
    ? claimed.userId
    : -1 - Number.parseInt(hashText('sha256', claimed.nameKey, 'hex').slice(0, 13), 16)

/** A plain decimal integer from 1 to 2^53-1: no sign, space, leading zero or exponent. */
export function readUserId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}
