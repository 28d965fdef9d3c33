import { Gauge, type Registry } from 'prom-client'
import type { FollowerFigures } from '../../api/followers/index.ts'

type ReadFigures = () => Promise<readonly FollowerFigures[]>

const GAUGES = [
  [
    'hydrant_follower_delay_seconds',
    'Age of the first change that a follower has not come to; 0 if there is none',
    ({ delayMs }: FollowerFigures) => delayMs / 1_000,
  ],
  [
    'hydrant_follower_waiting',
    'Members whose changes wait, because a follower has failed to handle one',
    ({ waiting }: FollowerFigures) => waiting,
  ],
  [
    'hydrant_follower_lost',
    'Changes that were removed from the log before a follower could handle them',
    ({ lost }: FollowerFigures) => lost,
  ],
  [
    'hydrant_follower_paused',
    '1 if a follower is paused, otherwise 0',
    ({ isPaused }: FollowerFigures) => Number(isPaused),
  ],
] as const

/** Metrics of followers, by name: each in the one process that has the follower. Returns a function that sets their source. */
export function createFollowerMetrics(registers: Registry[]): (read: ReadFigures) => void {
  let read: ReadFigures = async () => []
  for (const [name, help, figureOf] of GAUGES) {
    const gauge: Gauge = new Gauge({
      ...{ name, help, registers, labelNames: ['follower'] },
      async collect() {
        const all = await read().catch(() => [])
        // Another process may have taken a follower.
        gauge.reset()
        for (const figures of all) gauge.set({ follower: figures.name }, figureOf(figures))
      },
    })
  }
  return (given) => {
    read = given
  }
}
