import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'

// Preloaded by `npm test`. A paraphrase that has once matched a hash matches it again, without hashing: nearly every test
// signs in with the same one, and each hash takes as much of the processors as many requests. It still takes its turn, so
// that exchanges wait for each other. One that does not match is hashed each time; `npm run soak`, and a file that is run by
// itself, hash all.

type Argon = Pick<typeof import('@node-rs/argon2'), 'verify'>

/** The very object from which src/auth/credentials.ts takes `verify`, when it is first imported. */
const argon = createRequire(import.meta.url)('@node-rs/argon2') as { verify: Argon['verify'] }
const { verify } = argon
const TURN_MS = 2

if (!process.env.HYDRANT_SOAK) {
  const matching = new Set<string>()
  argon.verify = async (hash, paraphrase, ...more) => {
    const pair = `${hash} ${paraphrase}`
    if (matching.has(pair)) return wait(TURN_MS, true)
    const isMatching = await verify(hash, paraphrase, ...more)
    if (isMatching) matching.add(pair)
    return isMatching
  }
}
