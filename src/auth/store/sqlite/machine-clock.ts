import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * A clock that nobody sets: milliseconds since this machine was started, the same in all of its processes. It tells the age
 * of what was stored, also where the host's clock was set since (authentication.md, Time). It stands still while the machine
 * sleeps, and begins anew with each start: so an age is rather too small than too large.
 */
export const machineNow = (): number => Math.round(Number(process.hrtime.bigint()) / 1_000_000)

/** Times of `machineNow` are comparable where this is equal: on one machine, and in one time namespace of it. */
export const MACHINE_CLOCK: string = findIdentity()

function findIdentity(): string {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${start} ${readlinkSync('/proc/self/ns/time')}`
  } catch {
    // Not Linux, or a kernel without time namespaces.
    return hostname()
  }
}
