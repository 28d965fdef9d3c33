import { type AddressRange, readAddressRange, type SlotGrant, type SlotRequest } from '../../auth/index.ts'
import type { Config } from '../../config/index.ts'
import type { MetricValues } from '../../service/ops/index.ts'
import type { Model } from '../../vocabulary/index.ts'

/** What the first process says to a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly order: Order }
  | { readonly kind: 'stop' }
  | { readonly kind: 'collect metrics'; readonly id: number }
  | SlotGrant

/** Where a worker listens. */
export interface Listening {
  readonly port: number
  readonly base: string
}

/** What a worker says to the first process. */
export type FromWorker =
  /** It receives messages: those that are sent before may be lost. */
  | { readonly kind: 'ready for messages' }
  | ({ readonly kind: 'listening' } & Listening)
  /** It has been told to, and finishes what it has. */
  | { readonly kind: 'stopping' }
  /** It could not start, and ends. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'migrated elsewhere' }
  | { readonly kind: 'metrics'; readonly id: number; readonly values: MetricValues }
  | SlotRequest

/**
 * All that a worker needs, read once by the first process: a worker that is started again next week must not find other
 * settings, another secret or another API file than those beside it. Nor does a password become an argument.
 */
export interface Order {
  readonly number: number
  readonly model: Model
  readonly config: Omit<Config, 'trusted'>
  /** As text: of an object that is sent, only the values arrive. */
  readonly trusted: readonly string[]
}

export function writeOrder(number: number, model: Model, { trusted, ...config }: Config): Order {
  return { number, model, config, trusted: trusted.map(([address, bits]) => `${address}/${bits}`) }
}

export const configOfOrder = ({ config, trusted }: Order): Config => ({
  ...config,
  trusted: trusted.map((text) => readAddressRange(text) as AddressRange),
})
