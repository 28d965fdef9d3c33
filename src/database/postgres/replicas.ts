import { Problem } from '../../problem.ts'
import { type Awaitable, type ReplicaFigures, replicaAddresses, type StandbyProblem } from '../index.ts'
import { createPool, type Pool, type RunSql } from './pool.ts'
import { READING, SCANNING } from './pools.ts'
import { ReplicaWatch } from './replica-watch.ts'
import type { WriteCount } from './write-count.ts'

/** A standby, and the connections to it. */
export interface Standby {
  readonly name: string
  readonly quick: Pool
  readonly slow: Pool
  /** Changes when any of the connections are replaced. */
  generation(): number
}

export interface Replicas {
  readonly standbys: readonly Standby[]
  /**
   * A standby that has replayed every write that this host has acknowledged, and everything that is older than a second;
   * undefined if none has.
   */
  choose(): Standby | undefined
  /**
   * Reads from a standby that `choose` has returned. Undefined if it did not answer, or the connections are no longer those
   * of `generation`: a standby that was restarted may have replayed less than before.
   */
  read<T>(
    standby: Standby,
    generation: number,
    work: () => Awaitable<T>,
  ): Promise<{ readonly found: T } | undefined>
  /** The same pool, whose acknowledged writes count. */
  counted(writes: Pool): Pool
  /** How many reads went where, and how many standbys could be read from now. */
  figures(): ReplicaFigures
  close(): Promise<void>
}

export interface ReplicasOptions {
  readonly primary: RunSql
  readonly scanMs: number
  readonly scans: number
  readonly count: WriteCount
  /** Called when a standby cannot be used for a reason that does not pass by itself, and with undefined when it can again. */
  readonly onChange?: ((name: string, problem: StandbyProblem | undefined) => void) | undefined
}

/** Short: after it, the primary is asked, and a request must end within 3 s. */
const STATEMENT_MS = 400
const MARGIN_MS = 100

/** Whether the request is the cause, and not the standby. */
const isOfSearch = (error: unknown): boolean =>
  error instanceof Problem && ['SearchTooLong', 'TooManySearches'].includes(error.code)

/** Undefined if the address names none. */
export function openReplicas(url: string, options: ReplicasOptions): Replicas | undefined {
  const addresses = replicaAddresses(url)
  if (addresses.length === 0) return undefined
  const { primary, scanMs, scans, count, onChange } = options
  const timeout = (ms: number) => ({ statement_timeout: String(ms) })
  const standbys = addresses.map(({ name, url }): Standby => {
    const quick = createPool(url, {
      connections: 2,
      limitMs: STATEMENT_MS + MARGIN_MS,
      session: { ...READING, ...timeout(STATEMENT_MS) },
    })
    const slow = createPool(url, {
      connections: scans,
      pipeline: 1,
      prepare: false,
      limitMs: scanMs + MARGIN_MS,
      session: { ...SCANNING, ...timeout(scanMs) },
    })
    return { name, quick, slow, generation: () => quick.generation() + slow.generation() }
  })
  const asked = standbys.map(({ name, quick, generation }) => ({ name, run: quick.run, generation }))
  const watch = new ReplicaWatch({ primary, standbys: asked, count, onChange })
  const reads = { standby: 0, primary: 0 }
  return {
    standbys,
    choose() {
      const index = watch.choose()
      reads[index === undefined ? 'primary' : 'standby'] += 1
      return index === undefined ? undefined : standbys[index]
    },
    async read(standby, generation, work) {
      try {
        const found = await work()
        if (standby.generation() === generation) return { found }
      } catch (error) {
        if (isOfSearch(error)) throw error
        watch.leaveOut(standbys.indexOf(standby))
      }
      reads.standby -= 1
      reads.primary += 1
      return undefined
    },
    counted: (writes) => ({
      ...writes,
      write: async (text, params) => watch.acknowledging(await writes.write(text, params)) as never,
      transaction: async (work, length) => watch.acknowledging(await writes.transaction(work, length)),
    }),
    figures: () => ({ ...reads, current: watch.current() }),
    async close() {
      watch.close()
      await Promise.all(standbys.flatMap(({ quick, slow }) => [quick.close(), slow.close()]))
    },
  }
}
