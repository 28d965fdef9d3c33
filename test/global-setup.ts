import { createPostgresServer, type PostgresServer } from './support/postgres-server.ts'

let server: PostgresServer | undefined

/**
 * Once before all tests: a PostgreSQL, unless the environment names one. Nothing in it outlives the tests, so it need not
 * wait for the disk; tests of what must be on disk start one of their own.
 */
export async function globalSetup(): Promise<void> {
  if (process.env.HYDRANT_TEST_POSTGRES) return
  server = await createPostgresServer({
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '400',
    max_wal_size: '2GB',
  })
  process.env.HYDRANT_TEST_POSTGRES = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.remove()
}
