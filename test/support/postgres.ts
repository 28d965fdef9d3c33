import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import type { ClassSchema } from '../../src/members/index.ts'
import type { Ended } from './folders.ts'

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
export function newPostgres(t: Ended, server: string = postgresUrl()): string {
  const schema = newSchema()
  t.after(() => dropSchema(server, schema))
  return addressOf(server, schema)
}

const newSchema = (): string => `test_${randomBytes(8).toString('hex')}`

function addressOf(server: string, schema: string): string {
  const url = new URL(server)
  url.searchParams.set('search_path', schema)
  return url.href
}

/** By server. A connection costs as much as the schema: one serves many tests, and ends when it is idle. */
const ours = new Map<string, postgres.Sql>()

function ourConnection(server: string): postgres.Sql {
  const sql = ours.get(server) ?? postgres(server, { ...QUIET, idle_timeout: 1 })
  ours.set(server, sql)
  return sql
}

const DEADLOCK = '40P01'
const MOST_TRIES = 20

/**
 * Tests end in the order in which they have begun things, so the services on the schema are still at work. If this failed in
 * a deadlock with one of them, none would be closed, and the process would not end.
 */
export async function dropSchema(server: string, schema: string): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await ourConnection(server).unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      return
    } catch (error) {
      if ((error as postgres.PostgresError).code !== DEADLOCK || tries === MOST_TRIES) throw error
    }
}

/** Of tests that are over, by the classes that their tables are for. */
const used = new Map<string, string[]>()
process.once('beforeExit', async () => {
  // What is removed as a whole need not be emptied before.
  if (process.env.HYDRANT_TEST_POSTGRES_ENDS) return
  for (const schema of [...used.values()].flat()) await dropSchema(postgresUrl(), schema)
})

/**
 * A database for one store alone, emptied where an earlier test had the same classes: to make the tables and to drop them
 * takes more of the processors than most tests.
 */
export async function emptyPostgres(t: Ended, shapes: readonly ClassSchema[]): Promise<string> {
  const classes = JSON.stringify(shapes)
  const free = used.get(classes) ?? []
  used.set(classes, free)
  const schema = free.pop() ?? newSchema()
  await ourConnection(postgresUrl()).unsafe(emptying(schema))
  t.after(() => free.push(schema))
  return addressOf(postgresUrl(), schema)
}

/** Leaves what an empty database has: its tables, and the settings of its making but for its identity. Much is dropped instead. */
const emptying = (schema: string): string => `
  DO $$
  DECLARE
    place oid := to_regnamespace('${schema}');
    relation text;
  BEGIN
    IF (SELECT max(pg_relation_size(oid)) FROM pg_class WHERE relnamespace = place) > 1000000 THEN
      DROP SCHEMA ${schema} CASCADE;
      RETURN;
    END IF;
    -- For its triggers, which name its tables.
    PERFORM set_config('search_path', '${schema}', true);
    FOR relation IN SELECT oid::regclass FROM pg_class
      WHERE relnamespace = place AND relkind = 'r' AND relname NOT IN ('classes', 'settings') LOOP
      EXECUTE 'DELETE FROM ' || relation;
    END LOOP;
    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence JOIN pg_class ON oid = seqrelid WHERE relnamespace = place;
    IF place IS NOT NULL THEN
      DELETE FROM ${schema}.settings WHERE name NOT IN ('schema_version', 'postgres_schema', 'class_number', 'epoch');
      UPDATE ${schema}.settings SET value = gen_random_uuid() WHERE name = 'epoch';
    END IF;
  END $$`

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
