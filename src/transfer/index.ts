/** Import and export: streams of members, split out of NDJSON and JSON-LD and put together again. */

export type { Tally } from './add-members.ts'
export { exportMembers } from './export.ts'
export { importMembers } from './import.ts'
export { findTable } from './name-lookup.ts'
export { DataError } from './problems.ts'
export { proposeApiFile } from './proposal.ts'
export { importSentence } from './sentences.ts'
