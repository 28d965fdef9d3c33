/** Import and export: streams of members, split out of NDJSON and JSON-LD and put together again. */
export { exportMembers, type Output, openOutput, streamOutput } from './export.ts'
export { importMembers } from './import.ts'
export type { Tally } from './results.ts'
