import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import postgres from 'postgres'

/** The PostgreSQL of the tests: global-setup.ts has started one, or HYDRANT_TEST_POSTGRES names another. */
export function postgresUrl(): string {
  const url = process.env.HYDRANT_TEST_POSTGRES
  if (url) return url
  throw new Error(
    'There is no PostgreSQL for this test. Use npm test, or node --test --test-global-setup=test/global-setup.ts <file>, ' +
      'or name one that may be written to in HYDRANT_TEST_POSTGRES.',
  )
}

const QUIET = { max: 1, onnotice: () => {}, fetch_types: false }

/** The address of a database that is not there yet: a schema of its own, removed with the test. */
export function newPostgres(t: Pick<TestContext, 'after'>, server: string = postgresUrl()): string {
  const schema = `test_${randomBytes(8).toString('hex')}`
  t.after(() => dropSchema(server, schema))
  const url = new URL(server)
  url.searchParams.set('search_path', schema)
  return url.href
}

/** By server. A connection costs as much as the schema: one drops those of many tests, and ends when it is idle. */
const dropping = new Map<string, postgres.Sql>()

async function dropSchema(server: string, schema: string): Promise<void> {
  const sql = dropping.get(server) ?? postgres(server, { ...QUIET, idle_timeout: 1 })
  dropping.set(server, sql)
  await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
}

/** One statement as somebody else makes it, past Hydrant. */
export async function onPostgres(
  url: string,
  text: string,
  params: readonly (string | number)[] = [],
): Promise<unknown[][]> {
  const sql = postgres(url, QUIET)
  try {
    return (await sql.unsafe(text, params as string[]).values()) as unknown as unknown[][]
  } finally {
    await sql.end()
  }
}
