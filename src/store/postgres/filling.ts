import type { Link } from '../store.ts'
import { numberArray, textArray } from './arrays.ts'
import type { Fitting } from './fitting.ts'
import { keyRow, VALUE_COLUMNS, valueArrays, valueRows } from './key-rows.ts'
import type { Run } from './pool.ts'
import { keyColumns, type Tables } from './tables.ts'

/**
 * Writes members of a class that have been adopted into its new tables, which have no indexes yet. Who has another text
 * than before gets another version; everybody keeps the place in the order of creation.
 */
export async function createFiller(
  run: Run,
  className: string,
  tables: Tables,
): Promise<(fitting: readonly Fitting[]) => Promise<void>> {
  const { members, values, words, shapes } = tables
  const insertMembers = insertOf(tables)
  const [hadLinks] = await run<[boolean]>('SELECT EXISTS (SELECT FROM links WHERE from_class = $1)', [
    className,
  ])

  function putMembers(fitting: readonly Fitting[]): Promise<unknown> {
    const keys = fitting.map(({ adopted }) => keyRow(shapes, adopted.keys))
    return run(insertMembers, [
      numberArray(fitting.map(({ row: [sequence] }) => sequence)),
      textArray(fitting.map(({ row: [, id] }) => id)),
      numberArray(fitting.map((one) => (isSame(one) ? one.row[2] : null))),
      textArray(fitting.map(({ adopted }) => adopted.body)),
      textArray(fitting.map(({ adopted }) => adopted.holes)),
      textArray(fitting.map(({ adopted }) => adopted.hidden)),
      ...keyColumns(shapes).map((_, index) => textArray(keys.map((row) => row[index] ?? null))),
      textArray(fitting.map(({ adopted }) => textArray(adopted.keys.words))),
    ])
  }

  async function putValues(fitting: readonly Fitting[]): Promise<void> {
    const rows = fitting.flatMap(({ row: [sequence], adopted }) =>
      valueRows(shapes, adopted.keys).map((value) => ({ sequence, ...value })),
    )
    if (rows.length === 0) return
    await run(
      `INSERT INTO ${values} (${VALUE_COLUMNS}, sequence)
       SELECT * FROM unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::bigint[])`,
      [...valueArrays(rows), numberArray(rows.map(({ sequence }) => sequence))],
    )
  }

  async function putWords(fitting: readonly Fitting[]): Promise<void> {
    const rows = fitting.flatMap(({ row: [sequence], adopted }) =>
      adopted.keys.words.map((word) => ({ sequence, word })),
    )
    if (rows.length === 0) return
    await run(`INSERT INTO ${words} (word, sequence) SELECT * FROM unnest($1::text[], $2::bigint[])`, [
      textArray(rows.map(({ word }) => word)),
      numberArray(rows.map(({ sequence }) => sequence)),
    ])
  }

  return async (fitting) => {
    if (fitting.length === 0) return
    // One after the other on their connection, without waiting for each answer.
    await Promise.all([
      putMembers(fitting),
      putValues(fitting),
      putWords(fitting),
      replaceLinks(run, className, fitting, hadLinks?.[0] === true),
    ])
  }

  function insertOf({ versions }: Tables): string {
    const columns = ['sequence', 'id', 'version', 'body', 'holes', 'hidden', ...keyColumns(shapes), 'words']
    const written = new Map([
      ['version', `coalesce(version, nextval('${versions}'))`],
      ['words', 'words::text[]'],
    ])
    const types = columns.map((name) => (['sequence', 'version'].includes(name) ? 'bigint' : 'text'))
    return `INSERT INTO ${members} (${columns})
      SELECT ${columns.map((name) => written.get(name) ?? name)}
      FROM unnest(${types.map((type, index) => `$${index + 1}::${type}[]`)}) AS row (${columns})`
  }
}

const isSame = ({ row: [, , , body, holes], adopted }: Fitting): boolean =>
  adopted.body === body && adopted.holes === holes

/** Those that are the same stay as they are: at most changes of an API file all of them are. */
async function replaceLinks(
  run: Run,
  className: string,
  fitting: readonly Fitting[],
  hadLinks: boolean,
): Promise<void> {
  const rows = fitting.flatMap(({ row: [, from], adopted }) =>
    adopted.links.map((link: Link) => ({ from, link })),
  )
  const wanted = [
    className,
    textArray(rows.map(({ from }) => from)),
    textArray(rows.map(({ link }) => link.property)),
    textArray(rows.map(({ link }) => link.className)),
    textArray(rows.map(({ link }) => link.id)),
  ]
  const removing = hadLinks
    ? run(
        `DELETE FROM links WHERE from_class = $1 AND from_id = ANY ($6::text[])
           AND (from_id, property, to_class, to_id)
             NOT IN (SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]))`,
        [...wanted, textArray(fitting.map(({ row: [, id] }) => id))],
      )
    : undefined
  const adding =
    rows.length > 0
      ? run(
          `INSERT INTO links (from_class, from_id, property, to_class, to_id)
           SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
          wanted,
        )
      : undefined
  await Promise.all([removing, adding])
}
