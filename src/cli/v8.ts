// Suits V8 to a process of its own. A program that uses the library decides for itself.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/**
 * A function is compiled by an optimizing compiler after this many calls, a third or less of V8's own numbers, under which
 * a server with a few requests a second runs slow code for hours. And after so many since it met values of a new kind.
 */
export const COMPILE_EARLY: readonly string[] = [
  '--invocation-count-for-maglev=100',
  '--invocation-count-for-turbofan=1000',
  '--minimum-invocations-after-ic-update=100',
]

/** Beyond this, more room for new objects saves no processor time, as far as we could measure. */
const LARGEST_BYTES = 32 * 1_024 * 1_024
const CHECK_MS = 100

/**
 * Bounds V8's space for new objects, which otherwise grows to 128 MB under load and stays so large. Its flag
 * `--max-semi-space-size` would do that, but takes effect only on a command line, which is not ours.
 */
export function limitNewSpace(): void {
  let mayGrow = true
  setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const isSmall = (space?.space_size ?? 0) < LARGEST_BYTES
    // The space shrinks while the process is idle, and must be able to grow again.
    if (isSmall !== mayGrow) setFlagsFromString(`--semi-space-growth-factor=${isSmall ? 2 : 1}`)
    mayGrow = isSmall
  }, CHECK_MS).unref()
}
