/** Health and metrics, on a port of their own. */
export { aggregate, countsOf, createMetrics, type Metrics, type MetricValues, type Text } from './metrics.ts'
export { type Ops, startOps } from './server.ts'
