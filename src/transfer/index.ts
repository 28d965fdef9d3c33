/** Import and export of members, as streams of NDJSON, JSON-LD or CSV. */

export type { Tally } from './add-members.ts'
export { exportMembers } from './export.ts'
export type { FindUserId } from './identity.ts'
export { importMembers } from './import.ts'
export { findTable } from './name-lookup.ts'
export { DataError, type ExportProblems } from './problems.ts'
export { proposeApiFile } from './proposal.ts'
export { importSentence } from './sentences.ts'
