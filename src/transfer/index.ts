/** Import and export: streams of members, split out of NDJSON and JSON-LD and put together again. */
export { exportMembers, type Output, openOutput, streamOutput } from './export.ts'
export { findTable, importMembers } from './import.ts'
export { proposeApiFile } from './proposal.ts'
export type { Tally } from './results.ts'
