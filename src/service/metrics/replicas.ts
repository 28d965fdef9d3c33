import { Counter, Gauge, type Registry } from 'prom-client'
import type { ReplicaFigures } from '../../database/index.ts'

/** `read`: undefined if there are no standbys to read from. */
export const createReplicaMetrics =
  (registers: Registry[]) =>
  (read: () => ReplicaFigures | undefined): void => {
    if (read() === undefined) return
    const counted = { standby: 0, primary: 0 }
    new Counter({
      name: 'hydrant_replica_reads_total',
      help: 'Pages and members that could be read from a standby, by where they were read: standby, primary',
      labelNames: ['server'],
      registers,
      collect() {
        for (const server of ['standby', 'primary'] as const) {
          const now = read()?.[server] ?? 0
          // Another store, after a changed API file, counts from 0.
          this.inc({ server }, now < counted[server] ? now : now - counted[server])
          counted[server] = now
        }
      },
    })
    const gauge: Gauge = new Gauge({
      name: 'hydrant_replicas_current',
      help: 'Standbys that have everything older than a second, and every write of this host',
      // All processes of a host have the same standbys.
      aggregator: 'average',
      registers,
      collect: () => gauge.set(read()?.current ?? 0),
    })
  }
