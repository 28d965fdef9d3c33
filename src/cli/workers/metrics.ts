import { aggregate, countsOf, type MetricValues } from '../../service/ops/metrics.ts'
import type { Text } from '../../service/ops/server.ts'
import type { WorkerProcess } from './process.ts'

export interface WorkerMetrics {
  /** From its start to its end. */
  follow(worker: WorkerProcess): void
  /** Of all workers as one. */
  text(): Promise<Text>
}

/** Puts the workers' metrics together. What a worker has counted stays counted when it ends: a sum does not shrink. */
export function createWorkerMetrics(): WorkerMetrics {
  const workers = new Set<WorkerProcess>()
  /** What each has said last: it stands for one that does not answer in time. */
  const latest = new Map<WorkerProcess, MetricValues>()
  let former: MetricValues = []
  let folding: Promise<void> = Promise.resolve()

  async function collect(worker: WorkerProcess): Promise<void> {
    const values = worker.isServing() ? await worker.collect() : undefined
    if (values !== undefined && workers.has(worker)) latest.set(worker, values)
  }

  function forget(worker: WorkerProcess): void {
    const values = latest.get(worker)
    workers.delete(worker)
    latest.delete(worker)
    if (values === undefined) return
    folding = folding.then(async () => {
      former = await countsOf([former, values])
    })
  }

  return {
    follow(worker) {
      workers.add(worker)
      worker.ended.then(() => forget(worker))
    },
    async text() {
      await Promise.all([...workers].map(collect))
      await folding
      return aggregate([...latest.values(), former])
    },
  }
}
