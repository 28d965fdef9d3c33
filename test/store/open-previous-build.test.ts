import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { isPostgres } from '../../src/database/index.ts'
import { openStore } from '../../src/store/open.ts'
import { onPostgres } from '../support/postgres.ts'
import { previousBuild } from '../support/previous-build.ts'
import { run } from '../support/processes.ts'
import { pathOf, SHARED_STORES } from '../support/stores.ts'

/** A command of the previous version, to its end. */
async function previously(db: string, args: readonly string[], input = ''): Promise<string> {
  const env = { HYDRANT_DB: db }
  const { status, stdout, stderr } = await run(process.execPath, [await previousBuild(), ...args], {
    env,
    input,
  })
  assert.equal(status, 0, stderr)
  return stdout
}

/** A line for each thing that a statement may depend on. */
async function catalogOf(url: string): Promise<string[]> {
  if (isPostgres(url)) return (await onPostgres(url, POSTGRES_CATALOG)).map(([line]) => String(line))
  const db = new DatabaseSync(pathOf(url), { readOnly: true })
  const rows = db.prepare(SQLITE_CATALOG).all()
  db.close()
  return rows.map(({ line }) => String(line))
}

/** Columns with their types, what they default to and whether they may be null; indexes, functions, triggers, constraints. */
const POSTGRES_CATALOG = `
  WITH relation AS (SELECT oid, relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
  SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid))
    FROM pg_attribute JOIN relation r ON r.oid = attrelid
    LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0 AND NOT attisdropped
  UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN relation r ON r.oid = i.indrelid
  UNION ALL SELECT concat_ws(' ', relname, pg_get_constraintdef(c.oid))
    FROM pg_constraint c JOIN relation r ON r.oid = conrelid
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN relation r ON r.oid = tgrelid WHERE NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', oid::regprocedure, pg_get_function_result(oid))
    FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`

const SQLITE_CATALOG = `
  SELECT concat_ws(' ', m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk) AS line
    FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
  UNION ALL SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL`

for (const { name, newDatabase } of SHARED_STORES) {
  // contract: Hosts of this version and of the one before run side by side on one database
  test(`${name}: an upgrade keeps all that the previous version has made, which opens the database again`, async (t) => {
    const url = newDatabase(t)
    await previously(url, ['user', 'add', '7'], 'correct horse battery\n')
    const before = await catalogOf(url)
    const store = await openStore(url)
    await store.auth.addUser({ id: 8, paraphraseHash: 'x' }, 0)
    await store.close()
    const after = new Set(await catalogOf(url))
    assert.ok(before.length > 50, `${before.length}`)
    assert.deepEqual(
      before.filter((line) => !after.has(line)),
      [],
    )
    const users = await previously(url, ['user', 'list'])
    assert.match(users, /^7 .*\n8 /m, users)
  })
}
