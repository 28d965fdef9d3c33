/** Health and metrics, on a port of their own. */
export { aggregate, countsOf, createMetrics, type Metrics, type MetricValues } from './metrics.ts'
export { type Checks, createReadiness, startOpsServer, type Text } from './server.ts'
