import { isPlainSchema, shownDatabase } from '../address.ts'
import type { Run } from './pool.ts'
import { SCHEMA_VERSION } from './schema.ts'

/** What is found at an address, before anything is changed there. */
export interface Identity {
  /** The schema of PostgreSQL that everything is in. */
  readonly schema: string
  readonly hasSchema: boolean
  /** Whether the tables in it are Hydrant's. */
  readonly isOurs: boolean
}

const OUR_TABLES = [
  'settings',
  'users',
  'tokens',
  'spent_nonces',
  'attempts',
  'classes',
  'totals',
  'links',
] as const

type Row = [
  encoding: string,
  searchPath: string,
  synchronousCommit: string,
  hasSchema: boolean,
  taken: string,
  hasSettings: boolean,
]

/** From the catalogs alone: none of our tables need be there. */
const IDENTIFY = `
  SELECT current_setting('server_encoding'), current_setting('search_path'), current_setting('synchronous_commit'),
    EXISTS (SELECT FROM pg_namespace WHERE nspname = current_setting('search_path')),
    (SELECT coalesce(string_agg(relname, ',' ORDER BY relname), '') FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = current_setting('search_path') AND relname IN (${OUR_TABLES.map((name) => `'${name}'`)})),
    2 = (SELECT count(*) FROM pg_attribute
      JOIN pg_class c ON c.oid = attrelid AND relname = 'settings' AND relkind = 'r'
      JOIN pg_namespace n ON n.oid = relnamespace AND nspname = current_setting('search_path')
      WHERE attname IN ('name', 'value') AND NOT attisdropped)`

/** Throws for what this version of Hydrant must not touch. Only reads. */
export async function identify(run: Run, url: string): Promise<Identity> {
  const [row] = await run<Row>(IDENTIFY)
  const [encoding, schema, synchronousCommit, hasSchema, taken, isOurs] = row as Row
  const name = shownDatabase(url)
  if (encoding !== 'UTF8') {
    throw new Error(
      `${name} keeps text as ${encoding}, which cannot hold every character; ` +
        'name a database that was made with ENCODING UTF8. Nothing was changed.',
    )
  }
  if (!isPlainSchema(schema)) {
    throw new Error(
      `The search_path of ${name} is ${JSON.stringify(schema)}; ` +
        'give one name of small letters, digits and _, such as ?search_path=hydrant. Nothing was changed.',
    )
  }
  if (synchronousCommit === 'off') {
    throw new Error(
      `${name} is to be used with synchronous_commit=off, which can lose writes that were acknowledged; ` +
        'leave that out of the address. Nothing was changed.',
    )
  }
  if (taken !== '' && !isOurs) throw notOurs(name, schema, taken)
  return { schema, hasSchema, isOurs }
}

/** Of a schema with Hydrant's tables in it. Throws where it is of a newer Hydrant, or of somebody else after all. */
export async function requireKnownVersion(run: Run, url: string, schema: string): Promise<number> {
  const [row] = await run<[string]>("SELECT value::text FROM settings WHERE name::text = 'schema_version'")
  if (row === undefined || !/^[1-9]\d*$/.test(row[0])) {
    throw notOurs(shownDatabase(url), schema, 'settings')
  }
  const version = Number(row[0])
  if (version <= SCHEMA_VERSION) return version
  throw new Error(
    `${shownDatabase(url)} was written by a newer Hydrant (schema ${version}; this one knows ${SCHEMA_VERSION}). ` +
      'Use that version or a newer one; nothing was changed.',
  )
}

const notOurs = (name: string, schema: string, taken: string) =>
  new Error(
    `The schema "${schema}" of ${name} has tables that are not Hydrant's (${taken.replaceAll(',', ', ')}); ` +
      'name another one, such as ?search_path=hydrant. Nothing was changed.',
  )
