import type { BodyMemory } from './body-memory.ts'
import type { ServerLimits, UnsentLimit } from './limits.ts'
import type { AddressReader, App } from './messages.ts'

/** The app, and the dependencies of responses to requests that do not reach it. */
export interface ServedApp {
  readonly app: App
  /** The headers of refusals. */
  readonly noStoreHeaders: readonly string[]
  /** Called for errors for which no response can be sent. */
  readonly onFault: (error: unknown) => void
}

/** Dependencies that the connections of a server share. */
export interface ConnectionDependencies extends ServedApp {
  readonly limits: ServerLimits
  readonly readAddress: AddressReader
  readonly unsent: UnsentLimit
  /** The memory of bodies whose requests are not admitted yet. */
  readonly early: Pick<BodyMemory, 'tryHold'>
  /** The network of an address: addresses of one client share it. */
  readonly networkOf: (address: string) => string
  /** Monotonic, in milliseconds. */
  readonly now: () => number
  readonly isClosing: () => boolean
  /** Counts the requests that the app is handling. */
  readonly count: (change: 1 | -1) => void
}
