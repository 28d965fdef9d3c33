/** Health and metrics, on a port of their own. */

export { type Ops, startOps } from '../ops.ts'
export { aggregate, countsOf, createMetrics, type Metrics, type MetricValues, type Text } from './metrics.ts'
