import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { isPostgres } from '../../src/database/index.ts'
import { openStore } from '../../src/store/open.ts'
import { onPostgres } from '../support/postgres.ts'
import { pathOf } from '../support/stores.ts'
import { addBook, NOW, SHAPES } from './filled.ts'

/** Without the names of users, and what else accounts need. */
export const BEFORE_NAMES = {
  sqlite: `DROP INDEX users_by_name; ALTER TABLE users DROP COLUMN name; ALTER TABLE users DROP COLUMN name_key;
    ALTER TABLE users DROP COLUMN revision; ALTER TABLE users DROP COLUMN signed_in_at;
    ALTER TABLE users DROP COLUMN removal_at; DELETE FROM settings WHERE name IN ('users_generation', 'highest_user_id')`,
  postgres: `DROP FUNCTION add_user; DROP FUNCTION change_user; DROP FUNCTION change_own_paraphrase;
    DROP FUNCTION reserve_attempts; DROP FUNCTION begin_removal; DROP FUNCTION remove_user; DROP FUNCTION others_have_role; DROP FUNCTION has_role;
    DROP FUNCTION lock_users;
    ALTER TABLE users DROP COLUMN name, DROP COLUMN name_key, DROP COLUMN revision, DROP COLUMN signed_in_at,
      DROP COLUMN removal_at;
    DELETE FROM settings WHERE name IN ('users_generation', 'highest_user_id');`,
}

/** Without the states of classes, which SQLite has always had. */
const BEFORE_STATES =
  'DROP TABLE class_states; DROP FUNCTION raise_state, keep_state, keep_state_of_new CASCADE;'

/** Without them, without followers, without who has made a change, and without the order of the entries of a history. */
const BEFORE_ACTORS = {
  sqlite: 'DROP TABLE followers; DROP TABLE follower_waits; ALTER TABLE changes DROP COLUMN actor',
  postgres: `${BEFORE_STATES} DROP TABLE followers, follower_waits; DROP FUNCTION is_last_entry;
    ALTER TABLE changes DROP COLUMN actor; ALTER TABLE new_changes DROP COLUMN actor;`,
}

/** Without that, and without what the log keeps for rules that follow links. */
export const BEFORE_FOLLOWED = {
  sqlite: `${BEFORE_ACTORS.sqlite}; DROP TABLE account_totals; DROP TRIGGER change_swept; DROP TABLE change_accounts;
    ALTER TABLE changes DROP COLUMN followed`,
  postgres: `${BEFORE_ACTORS.postgres} DROP TABLE account_totals; DROP TRIGGER change_swept ON changes;
    DROP FUNCTION change_swept; DROP TABLE change_accounts;
    ALTER TABLE changes DROP COLUMN followed; ALTER TABLE new_changes DROP COLUMN followed;`,
}

/** Without both, and without the age of tokens and attempts. */
export const BEFORE_AGES = {
  sqlite: `${BEFORE_NAMES.sqlite}; ${BEFORE_FOLLOWED.sqlite}; ALTER TABLE tokens DROP COLUMN recorded_by; ALTER TABLE tokens DROP COLUMN recorded_at;
    ALTER TABLE attempts DROP COLUMN recorded_by; ALTER TABLE attempts DROP COLUMN recorded_at`,
  postgres: `${BEFORE_NAMES.postgres} ${BEFORE_FOLLOWED.postgres}
    ALTER TABLE tokens DROP COLUMN recorded_at;
    ALTER TABLE attempts DROP COLUMN recorded_at;
    DROP FUNCTION begin_attempt(text, bigint, bigint, bigint, bigint, bigint, bigint, text, bigint, bigint);
    DROP FUNCTION in_time; DROP FUNCTION clock_ms; DROP FUNCTION attempted_at; DROP FUNCTION begin_nonce_series;`,
}

/** What the last build did not have, and the number of its schema. */
const BEFORE_OWNERS = {
  sqlite: `${BEFORE_AGES.sqlite}; ALTER TABLE classes DROP COLUMN shown;
    DROP TABLE changes; DELETE FROM settings WHERE name = 'epoch';
    DROP INDEX users_by_number;
    ALTER TABLE users DROP COLUMN number; ALTER TABLE users DROP COLUMN roles;
    DELETE FROM settings WHERE name = 'user_number';
    DROP TABLE owner_totals;
    DROP TABLE owned_1; ALTER TABLE keys_1 DROP COLUMN owner; ALTER TABLE members_1 DROP COLUMN owner;
    DROP TABLE owned_2; ALTER TABLE keys_2 DROP COLUMN owner; ALTER TABLE members_2 DROP COLUMN owner;
    DELETE FROM settings WHERE name = 'sqlite_schema'; PRAGMA user_version = 2`,
  postgres: `DO $$ BEGIN
    ${BEFORE_AGES.postgres}
    DROP FUNCTION changes_after; DROP FUNCTION place_changes; DROP FUNCTION first_position;
    DROP TABLE changes, new_changes, placements; DROP SEQUENCE change_numbers;
    ALTER TABLE classes DROP COLUMN shown;
    DELETE FROM settings WHERE name = 'epoch';
    ALTER TABLE users DROP COLUMN number, DROP COLUMN roles;
    DROP TABLE owner_totals;
    ALTER TABLE members_1 DROP COLUMN owner;
    ALTER TABLE members_2 DROP COLUMN owner;
    DELETE FROM settings WHERE name = 'postgres_schema';
    UPDATE settings SET value = '1' WHERE name = 'schema_version';
  END $$`,
}

/** A database as the last build has made it, with three users and two books. */
export async function newOfLastBuild(
  t: TestContext,
  newDatabase: (t: TestContext) => string,
): Promise<string> {
  const url = newDatabase(t)
  const store = await openStore(url, SHAPES)
  for (const id of [7, 3, 5]) await store.auth.addUser({ id, paraphraseHash: 'x' }, NOW)
  // As a server does at its start.
  await store.auth.nonceSecret()
  for (const id of ['a', 'b']) await addBook(store, id)
  await store.close()
  if (isPostgres(url)) await onPostgres(url, BEFORE_OWNERS.postgres)
  else {
    const db = new DatabaseSync(pathOf(url))
    db.exec(BEFORE_OWNERS.sqlite)
    db.close()
  }
  return url
}
