import type { DatabaseSync } from 'node:sqlite'
import { isNoDatabase } from './errors.ts'

/** "HYDR": a file that carries another program's mark is not touched. */
const APPLICATION_ID = 0x48594452

type Migration = (db: DatabaseSync) => void

/** Numbered by their place, applied once each, never edited after a release. */
const MIGRATIONS: readonly Migration[] = [createTables, storeUnderOneApiFile]

function createTables(db: DatabaseSync): void {
  db.exec(`
  CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    paraphrase_hash TEXT NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT;

  -- AUTOINCREMENT: the number of a token names no other one later.
  CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tokens_by_user ON tokens (user_id);
  CREATE INDEX tokens_by_expiry ON tokens (expires_at);

  CREATE TABLE spent_nonces (
    nonce TEXT PRIMARY KEY,
    spent_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spent_nonces_by_expiry ON spent_nonces (expires_at);

  -- Checks of a paraphrase: running (failed = 0) or failed.
  CREATE TABLE attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    failed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX attempts_by_address ON attempts (address, at);
  CREATE INDEX attempts_by_user ON attempts (address, user_id, at);
  CREATE INDEX attempts_by_time ON attempts (at);

  -- One row a class: the number of its table (members_1, members_2 …: SQLite's names know no case, ours do),
  -- its total, and the last version number that it gave out.
  CREATE TABLE classes (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    total INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;

  -- From whom to whom the links of members run. The primary key answers "who links to this?".
  CREATE TABLE links (
    to_class TEXT NOT NULL,
    to_id TEXT NOT NULL,
    from_class TEXT NOT NULL,
    property TEXT NOT NULL,
    from_id TEXT NOT NULL,
    PRIMARY KEY (to_class, to_id, from_class, property, from_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX links_by_source ON links (from_class, from_id);

  CREATE TABLE unique_values (
    class TEXT NOT NULL,
    property TEXT NOT NULL,
    key TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (class, property, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX unique_values_by_member ON unique_values (class, id);
  `)
}

/**
 * All members of a class are stored under one API file, which the class names by its fingerprint (0: not known) and
 * by the shapes of its keys; the tables of the keys are made when its members are adopted.
 */
function storeUnderOneApiFile(db: DatabaseSync): void {
  db.exec(`
    DROP TABLE unique_values;
    ALTER TABLE classes ADD COLUMN fingerprint INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE classes ADD COLUMN shapes TEXT NOT NULL DEFAULT '';
  `)
  for (const { id } of db.prepare('SELECT id FROM classes').all()) {
    db.exec(`
      ALTER TABLE members_${id} ADD COLUMN hidden TEXT NOT NULL DEFAULT '';
      ALTER TABLE members_${id} DROP COLUMN fingerprint;
    `)
  }
}

/** Throws for what this version of Hydrant must not touch. Only reads: the journal mode is a change already. */
export function requireOurs(db: DatabaseSync, path: string): void {
  const { version, mark, hasTables } = identify(db, path)
  if (mark !== APPLICATION_ID && (mark !== 0 || hasTables)) throw notOurs(path)
  if (version > MIGRATIONS.length) {
    throw new Error(
      `${path} was written by a newer Hydrant (schema ${version}; this one knows ${MIGRATIONS.length}). ` +
        'Use that version or a newer one; nothing was changed.',
    )
  }
}

/** In one snapshot: another process may be making the tables right now. */
function identify(db: DatabaseSync, path: string) {
  db.exec('BEGIN')
  try {
    return {
      version: readPragma(db, 'user_version'),
      mark: readPragma(db, 'application_id'),
      hasTables: db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined,
    }
  } catch (error) {
    throw isNoDatabase(error) ? notOurs(path) : error
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

const notOurs = (path: string) =>
  new Error(`${path} is not a Hydrant database; name another file with --db sqlite:<path>.`)

export const isCurrent = (db: DatabaseSync): boolean => readPragma(db, 'user_version') === MIGRATIONS.length

/** Brings the database to the schema of this version of Hydrant, within a transaction. */
export function migrate(db: DatabaseSync): void {
  if (isCurrent(db)) return
  for (const apply of MIGRATIONS.slice(readPragma(db, 'user_version'))) apply(db)
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length}; PRAGMA application_id = ${APPLICATION_ID}`)
}

/** What the schema of the first release did not have: `hidden` and `fingerprint`. */
export const isOfFirstSchema = (db: DatabaseSync): boolean => readPragma(db, 'user_version') === 1

/** A file in which nothing was made yet. */
export const isNew = (db: DatabaseSync): boolean => readPragma(db, 'user_version') === 0

function readPragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}
