import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { isPostgres } from '../../src/database/index.ts'
import { openStore } from '../../src/store/open.ts'
import { onPostgres } from '../support/postgres.ts'
import { pathOf } from '../support/stores.ts'
import { addBook, NOW, SHAPES } from './filled.ts'

/** Without the age of tokens and attempts. */
export const BEFORE_AGES = {
  sqlite: `ALTER TABLE tokens DROP COLUMN recorded_by; ALTER TABLE tokens DROP COLUMN recorded_at;
    ALTER TABLE attempts DROP COLUMN recorded_by; ALTER TABLE attempts DROP COLUMN recorded_at`,
  postgres: `ALTER TABLE tokens DROP COLUMN recorded_at;
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
    PRAGMA user_version = 2`,
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
  for (const id of [7, 3, 5]) await store.auth.addUser(id, 'x', NOW)
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
