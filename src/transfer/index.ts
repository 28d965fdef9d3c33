/** Import and export: streams of members, cut out of NDJSON and JSON-LD and put together again. */
export { exportMembers } from './exporting.ts'
export { importMembers } from './importing.ts'
export { type Output, openOutput, streamOutput } from './output.ts'
export type { Tally } from './tally.ts'
