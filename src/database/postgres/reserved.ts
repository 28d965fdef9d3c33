import { closing } from '../index.ts'
import type { PostgresConnection } from './connection.ts'

/**
 * Connections that one transaction at a time reserves. The driver has transactions too, but if a connection is lost in the
 * middle of one, the driver writes the rollback to a destroyed socket, which ends the process; and its `reserve` never
 * resolves without `fetch_types`.
 */
export class ReservedConnections {
  readonly #max: number
  readonly #open: (onClose: () => void) => PostgresConnection
  readonly #all = new Set<PostgresConnection>()
  readonly #free = new Set<PostgresConnection>()
  readonly #waiting: PromiseWithResolvers<void>[] = []
  #isEnded = false

  constructor(max: number, open: (onClose: () => void) => PostgresConnection) {
    this.#max = max
    this.#open = open
  }

  async acquire(): Promise<PostgresConnection> {
    while (this.#free.size === 0 && this.#all.size >= this.#max) {
      const turn = Promise.withResolvers<void>()
      this.#waiting.push(turn)
      await turn.promise
    }
    if (this.#isEnded) throw closing()
    const [own = this.#openOne()] = this.#free
    this.#free.delete(own)
    return own
  }

  release(own: PostgresConnection): void {
    if (this.#all.has(own)) this.#free.add(own)
    this.#waiting.shift()?.resolve()
  }

  /** Rejects all waiting transactions. */
  refuse(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  /** Waits up to `timeoutMs` for running transactions, and rejects those that wait: nothing would close a connection of theirs. */
  async end(timeoutMs: number): Promise<void> {
    this.#isEnded = true
    this.refuse(closing())
    await Promise.all([...this.#all].map((one) => one.end(timeoutMs)))
  }

  #openOne(): PostgresConnection {
    const own = this.#open(() => {
      this.#all.delete(own)
      this.#free.delete(own)
      this.#waiting.shift()?.resolve()
    })
    this.#all.add(own)
    return own
  }
}
