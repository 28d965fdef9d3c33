import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Beyond this, more room for new objects saves no processor time, as far as we could measure. */
const LARGEST_BYTES = 32 * 1_024 * 1_024
const CHECK_MS = 100

/**
 * Bounds V8's space for new objects, which otherwise grows to 128 MB under load and stays so large. Its flag
 * `--max-semi-space-size` would do that, but takes effect only on a command line, which is not ours. For the process of a
 * command: a program that uses the library decides for itself.
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
