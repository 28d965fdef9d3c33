import type { Transaction } from './pool.ts'
import { PUBLISHED } from './published.ts'
import { inShortAttempts } from './short-locks.ts'
import { STATES } from './states.ts'

/**
 * The steps that are newer than the last published Hydrant, whose hosts go on while the first host of this version
 * applies them (hosts.md, A new version of Hydrant). Each is applied once, in this order, and never edited once published.
 *
 * A step only adds: a table; a column that may be null or has a constant default; a function, under a new name or with
 * other parameters; a trigger; an index of a table that stays small. It does not rename, remove or narrow anything, and it
 * gives no function of the former version another meaning. It must take milliseconds, since it locks its tables: what has
 * to be computed for existing rows is computed later, in portions (`members/`).
 *
 * The code that uses an addition must be right although hosts of the former version
 *
 * - write rows without it: a default or a trigger fills it in, or the code takes a null for "not known";
 * - read and write as if it were not there: nothing that they do may depend on it, or be refused because of it;
 * - create and replace the tables of classes (`members_1` …) without it: so additions to those tables are made by
 *   `members/`, for each class that lacks them, whenever this version opens the database;
 * - compare the fingerprints of classes: a class that has not changed keeps its fingerprint and its keys.
 *
 * At the release of a version, its steps move to the end of `PUBLISHED`, and `PREVIOUS_COMMIT` in
 * `test/support/previous-build.ts` moves to its commit. From then on the version before may no longer open a database that
 * was upgraded, and a new step may remove what only that version needed.
 */
const ADDITIONS: readonly string[] = [STATES]

/** Numbered by their position, from 1 on. */
const STEPS = [...PUBLISHED, ...ADDITIONS]

export const SCHEMA_VERSION: number = STEPS.length

/** The oldest version whose hosts may run on a database that this one has upgraded: that of the last published Hydrant. */
export const OLDEST_VERSION: number = PUBLISHED.length

/** The tables that every database has. */
export const TABLE_NAMES: readonly string[] = [...STEPS.join('').matchAll(/CREATE TABLE (\w+)/g)].map(
  ([, name = '']) => name,
)

/**
 * Two settings. `schema_version`: the oldest version that may open the database; every version compares its own with it.
 * `postgres_schema`: the last step that was applied, which the first published versions do not know.
 */
export const SCHEMA_SETTINGS = { oldest: 'schema_version', version: 'postgres_schema' } as const

/** Called within a transaction that holds the lock of the schema. `version`: the current one, 0 if there is none. */
export async function upgradeSchema(
  { run, script }: Transaction,
  version: number,
  { steps, oldest }: SchemaSteps = { steps: STEPS, oldest: OLDEST_VERSION },
): Promise<void> {
  // Other hosts may be at work on a schema that exists.
  for (const text of steps.slice(version)) await script(version === 0 ? text : inShortAttempts(text))
  for (const [name, value] of [
    [SCHEMA_SETTINGS.oldest, oldest],
    [SCHEMA_SETTINGS.version, steps.length],
  ] as const)
    await run(
      `INSERT INTO settings VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
        SET value = greatest(settings.value::bigint, excluded.value::bigint)::text`,
      [name, String(value)],
    )
}

/** The steps of a version of Hydrant, and the oldest version that may run beside it. */
interface SchemaSteps {
  readonly steps: readonly string[]
  readonly oldest: number
}
