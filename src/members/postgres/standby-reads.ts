import type { Pool } from '../../database/postgres/pool.ts'
import type { Replicas, Standby } from '../../database/postgres/replicas.ts'
import type { MemberReads, MemberStore } from '../member-store.ts'

type ReadMembers = Pick<MemberStore, 'state' | 'find' | 'list'>

/** `createFrom`: the reads of members over the connections to one server. */
export function createStandbyReads(
  replicas: Replicas,
  primary: ReadMembers,
  createFrom: (standby: Readonly<Record<'quick' | 'slow', Pool>>) => ReadMembers,
): () => MemberReads | undefined {
  const readers = new Map(replicas.standbys.map((standby) => [standby, createFrom(standby)]))
  return () => {
    const standby = replicas.choose()
    const reads = standby && readers.get(standby)
    return standby && reads && new StandbyReads(replicas, standby, reads, primary)
  }
}

/** The reads of one request. Where the standby fails, they go to the primary. */
class StandbyReads implements MemberReads {
  readonly server: string
  hasFailed = false
  readonly #replicas: Replicas
  readonly #standby: Standby
  readonly #generation: number
  readonly #reads: ReadMembers
  readonly #primary: ReadMembers

  constructor(replicas: Replicas, standby: Standby, reads: ReadMembers, primary: ReadMembers) {
    this.server = standby.name
    this.#replicas = replicas
    this.#standby = standby
    this.#generation = standby.generation()
    this.#reads = reads
    this.#primary = primary
  }

  async state(className: string) {
    return this.#read(
      () => this.#reads.state(className),
      () => undefined,
    )
  }

  async find(className: string, id: string) {
    return this.#read(
      () => this.#reads.find(className, id),
      () => this.#primary.find(className, id),
    )
  }

  async list(...asked: Parameters<ReadMembers['list']>) {
    return this.#read(
      () => this.#reads.list(...asked),
      () => this.#primary.list(...asked),
    )
  }

  async #read<T>(work: () => T | Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
    const read = this.hasFailed ? undefined : await this.#replicas.read(this.#standby, this.#generation, work)
    if (read !== undefined) return read.found
    this.hasFailed = true
    return otherwise()
  }
}
