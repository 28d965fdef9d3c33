import { test } from 'node:test'

/** What takes minutes is whole in `npm run soak`, and shorter in `npm test`. */
export const inSoak = <T>(whole: T, short: T): T => (process.env.HYDRANT_SOAK ? whole : short)

/** How long thousands of random runs go on at most: a slow machine makes fewer of them. */
export const MOST_MS = 600_000

/** A test that only `npm run soak` has: others hold most of it, for less. */
export const soakTest: typeof test = inSoak(test, (() => {}) as unknown as typeof test)
