import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

/** A script, or what makes it from the file as it is. */
export type SchemaStep = string | ((db: DatabaseSync) => string)

/**
 * The steps from one version of the schema to the next: applied once each, never edited after a release. One list for the
 * whole file, in the order of the releases; the content of the tables is up to `auth/store/` and `members/`. This part of
 * the list is finished: the last published Hydrant has all of it. New steps go to `ADDITIONS` in `schema.ts`.
 */
export const PUBLISHED: readonly SchemaStep[] = [
  `
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
  -- its total, the last version number that it gave out, and the API file that its members are stored under, by its
  -- fingerprint and the shapes of its keys. The tables of a class are made by the migration (migrate.ts).
  CREATE TABLE classes (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    total INTEGER NOT NULL,
    version INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    shapes TEXT NOT NULL
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
  `,
  (db) => `
  -- Roles are joined by commas. A number is given once, and so names no other user after this one was removed; the last
  -- one stands among the settings.
  ALTER TABLE users ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE users ADD COLUMN roles TEXT NOT NULL DEFAULT '';
  UPDATE users SET number = given.number
    FROM (SELECT id, row_number() OVER (ORDER BY added_at, id) AS number FROM users) AS given WHERE given.id = users.id;
  CREATE UNIQUE INDEX users_by_number ON users (number);
  INSERT INTO settings VALUES ('user_number', (SELECT count(*) FROM users));

  -- How many members of a class an owner has.
  CREATE TABLE owner_totals (
    class_id INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (class_id, owner)
  ) STRICT, WITHOUT ROWID;

  -- The number of the user who created a member; null where none did.
  ${forEachClass(
    db,
    (id) => `ALTER TABLE members_${id} ADD COLUMN owner INTEGER;
      ALTER TABLE keys_${id} ADD COLUMN owner INTEGER;
      CREATE INDEX keys_${id}_owner ON keys_${id} (owner) WHERE owner IS NOT NULL;`,
  )}
  `,
  () => `
  -- What the feed tells, in the order of the commits: there is one writer. The last row always stays, so that no position
  -- is given twice. kind: as in CHANGE_KINDS.
  CREATE TABLE changes (
    position INTEGER PRIMARY KEY,
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    kind INTEGER NOT NULL,
    version INTEGER NOT NULL,
    owner INTEGER,
    at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO settings VALUES ('epoch', '${randomUUID()}');
  `,
  (db) =>
    forEachClass(
      db,
      (id) => `
  -- Instead of the index: with copies of short members, where users list those of their own.
  -- Written out, as a step stays what it was when tables.ts changes.
  CREATE TABLE owned_${id} (
    owner INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT,
    version INTEGER,
    body TEXT,
    holes TEXT,
    PRIMARY KEY (owner, sequence)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO owned_${id} (owner, sequence) SELECT owner, sequence FROM keys_${id} WHERE owner IS NOT NULL;
  DROP INDEX keys_${id}_owner;`,
    ),
  `
  -- What a reader of the feed filters out, or may not see, is skipped (ChangeRange in changes.ts). Each is in the order of
  -- the positions within its columns.
  CREATE INDEX changes_by_class ON changes (class);
  CREATE INDEX changes_by_member ON changes (class, id);
  CREATE INDEX changes_by_owner ON changes (class, owner);

  -- 1 where the API file with which the database was last opened has the class, 0 where it hides it.
  ALTER TABLE classes ADD COLUMN shown INTEGER NOT NULL DEFAULT 1;
  `,
  () => `
  -- When a row was stored, by which clock (machine-clock.ts): its age, also where the host's clock was set since.
  ALTER TABLE tokens ADD COLUMN recorded_by TEXT;
  ALTER TABLE tokens ADD COLUMN recorded_at INTEGER;
  ALTER TABLE attempts ADD COLUMN recorded_by TEXT;
  ALTER TABLE attempts ADD COLUMN recorded_at INTEGER;
  `,
  `
  -- name_key: the folded name. revision: goes up with every change of name or roles. removal_at: when the removal of the
  -- user began, by the host's clock.
  ALTER TABLE users ADD COLUMN name TEXT;
  ALTER TABLE users ADD COLUMN name_key TEXT;
  ALTER TABLE users ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE users ADD COLUMN signed_in_at INTEGER;
  ALTER TABLE users ADD COLUMN removal_at INTEGER;
  CREATE UNIQUE INDEX users_by_name ON users (name_key);

  -- What the links that rules follow led to before the change and after it (Change.followed), as JSON: for the classes that
  -- have such rules, and null for all others.
  ALTER TABLE changes ADD COLUMN followed TEXT;

  -- The users other than the owner whose accounts such links named before the change or after it, by their numbers.
  CREATE TABLE change_accounts (
    class TEXT NOT NULL,
    account INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (class, account, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX change_accounts_by_position ON change_accounts (position);
  CREATE TRIGGER change_swept AFTER DELETE ON changes WHEN old.followed IS NOT NULL BEGIN
    DELETE FROM change_accounts WHERE position = old.position;
  END;
  `,
  `
  -- How many members of a class link to an account. property: the number of the link among the keys of the class.
  CREATE TABLE account_totals (
    class_id INTEGER NOT NULL,
    property INTEGER NOT NULL,
    account TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (class_id, property, account)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The number of the user who made the change; null where no user did.
  ALTER TABLE changes ADD COLUMN actor INTEGER;
  `,
  `
  -- How far followers have come in the log (library.md). position: all changes up to it were handled, or wait. since: its
  -- first start. seen_at: when a program last had it. lease_until: by the machine's time since boot. rewinds: goes up when
  -- somebody sends it back. paused, error: why.
  CREATE TABLE followers (
    name TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    since INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    holder TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    rewinds INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    paused TEXT,
    error TEXT,
    error_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- The members that wait, each for the change that a follower has failed to handle. skipped: 1 if it must be passed over.
  CREATE TABLE follower_waits (
    follower TEXT NOT NULL,
    class TEXT NOT NULL,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    error TEXT NOT NULL,
    skipped INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (follower, class, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX follower_waits_by_position ON follower_waits (follower, position);
  `,
]

function forEachClass(db: DatabaseSync, statements: (id: unknown) => string): string {
  const rows = db.prepare('SELECT id FROM classes').all()
  return rows.map(({ id }) => statements(id)).join('\n')
}
