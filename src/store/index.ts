/** What remembers: users, tokens and members, in SQLite or PostgreSQL. */
export * from './store.ts'
