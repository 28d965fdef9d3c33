import { aggregate, countsOf, type MetricsText, type MetricValues } from '../../service/metrics/metrics.ts'
import type { WorkerProcess } from './process.ts'

/** Adds up the workers' metrics. Counts of a worker that has ended stay in the sum, which must not shrink. */
export function createWorkerMetrics() {
  /** The latest metrics of each running worker, for when it does not answer in time. */
  const latest = new Map<WorkerProcess, MetricValues>()
  let former: Promise<MetricValues> = Promise.resolve([])

  async function collect(worker: WorkerProcess): Promise<void> {
    const values = worker.isServing() ? await worker.collect() : undefined
    if (values !== undefined && latest.has(worker)) latest.set(worker, values)
  }

  return {
    /** Keeps the metrics of a worker from its start to its end. */
    follow(worker: WorkerProcess): void {
      latest.set(worker, [])
      worker.ended.then(() => {
        const values = latest.get(worker) ?? []
        latest.delete(worker)
        former = former.then((counts) => countsOf([counts, values]))
      })
    },
    /** The metrics of all workers, summed. */
    async text(): Promise<MetricsText> {
      await Promise.all([...latest.keys()].map(collect))
      return aggregate([...latest.values(), await former])
    },
  }
}
