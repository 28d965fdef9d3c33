import type { Logger } from 'pino'
import type { Address } from '../config/values.ts'
import { createMetrics, type Metrics } from '../service/ops/metrics.ts'
import { type Checks, createReadiness, startOpsServer, type Text } from '../service/ops/server.ts'
import { explainListening, hostInUrl, OPS_FLAGS } from './listening.ts'

/** Health and metrics of this command, for as long as it runs. */
export interface Ops {
  /** Of this process. */
  readonly metrics: Metrics
  /** It serves: from now on whoever asks is told whether it still does. `metrics`: where others serve for it. */
  admit(checks: Checks & { readonly metrics?: (() => Promise<Text>) | undefined }): void
  /** It does not, for this reason. */
  refuse(why: string): void
  close(): Promise<void>
}

/** From the very beginning: that it is starting is an answer too. */
export async function openOps({ host, port }: Address, log: Logger): Promise<Ops> {
  const metrics = createMetrics()
  const readiness = createReadiness('it is starting')
  let collect = metrics.text
  const server = await startOpsServer({ host, port, lack: readiness.lack, metrics: () => collect() }).catch(
    (error: unknown) => {
      throw explainListening(error, { host, port }, OPS_FLAGS)
    },
  )
  log.info({ ops: `http://${hostInUrl(host)}:${server.port}` }, 'health and metrics')
  return {
    metrics,
    admit(checks) {
      collect = checks.metrics ?? metrics.text
      readiness.admit(checks)
    },
    refuse: readiness.refuse,
    close: server.close,
  }
}
