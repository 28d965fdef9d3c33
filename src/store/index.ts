/** What remembers: users, tokens and members, in SQLite or PostgreSQL. */
export { backUp, copyStore, databaseExists, dryRun, openStore, restoreBackup } from './open.ts'
export * from './store.ts'
