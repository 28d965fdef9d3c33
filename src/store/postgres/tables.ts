import type { Indexed, KeyShape, Keys } from '../../vocabulary/keys.ts'
import { keyColumns, keyRow, type QueryTables } from '../query/dialect.ts'
import type { NewMember } from '../store.ts'
import { arrayOf, columnArrays, keyText } from './dialect.ts'

/**
 * A member has its words in a column too, by which they are found when it is changed or removed: that costs less than a
 * second index. `order` and `versions` are sequences: they give out numbers without a lock, and none twice.
 */
export interface Tables extends QueryTables {
  readonly order: string
  readonly versions: string
  readonly hasWords: boolean
}

/** Numbered: another API file makes other tables, and a process that was started with the former one finds its own no more. */
export const tablesOf = (classId: number, shapes: readonly KeyShape[], hasWords = true): Tables => ({
  classId,
  members: `members_${classId}`,
  keys: `members_${classId}`,
  values: `values_${classId}`,
  words: `words_${classId}`,
  order: `order_${classId}`,
  versions: `versions_${classId}`,
  shapes,
  hasWords,
})

export const createSequences = ({ order, versions }: Tables): string =>
  `CREATE SEQUENCE ${order}; CREATE SEQUENCE ${versions};`

/** Without indexes, which are made faster when the rows are there. */
export const createTables = ({ members, values, words, order, shapes }: Tables): string => `
  CREATE TABLE ${members} (
    sequence bigint NOT NULL DEFAULT nextval('${order}'),
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    owner bigint,
    body text NOT NULL,
    holes text NOT NULL,
    hidden text NOT NULL,
    words text[] COLLATE "C"
    ${keyColumns(shapes)
      .map((name) => `, ${name} text COLLATE "C"`)
      .join('')}
  );
  CREATE TABLE ${values} (
    property smallint NOT NULL,
    key text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    whole text COLLATE "C",
    folded text COLLATE "C"
  );
  CREATE TABLE ${words} (word text COLLATE "C" NOT NULL, sequence bigint NOT NULL);
`

export const createIndexes = ({ members, values, words, shapes }: Tables): string => `
  ALTER TABLE ${members} ADD PRIMARY KEY (sequence), ADD UNIQUE (id);
  ALTER TABLE ${values} ADD PRIMARY KEY (property, key, sequence);
  ALTER TABLE ${words} ADD PRIMARY KEY (word, sequence);
  CREATE INDEX ${values}_by_member ON ${values} (sequence, property, key);
  CREATE INDEX ${members}_owner ON ${members} (owner, sequence) WHERE owner IS NOT NULL;
  ${shapes
    .map(({ unique }, index) =>
      [
        `CREATE INDEX ${members}_${index} ON ${members} (k${index}, sequence);`,
        ...(unique ? [`CREATE UNIQUE INDEX ${members}_${index}_unique ON ${members} (k${index});`] : []),
      ].join('\n'),
    )
    .join('\n')}
`

export const dropTables = ({ members, values, words }: Tables): string =>
  `DROP TABLE IF EXISTS ${members}, ${values}, ${words};`

/** How many members a class has, and each owner of it, where nobody else writes. */
export const countMembers = ({ members, classId }: Tables): string => `
  INSERT INTO totals (class_id, slot, total) SELECT ${classId}, 0, count(*) FROM ${members};
  INSERT INTO owner_totals (class_id, owner, slot, total)
    SELECT ${classId}, owner, 0, count(*) FROM ${members} WHERE owner IS NOT NULL GROUP BY owner;
`

/** A member that is to be written; a new one gets its numbers when it is, unless they are fixed already. */
export interface GivenMember {
  readonly member: Omit<NewMember, 'links'>
  readonly sequence: number | null
  readonly version: number | null
}

/** The columns of a member that come as text. */
export const textColumns = (shapes: readonly KeyShape[]): string[] => [
  'id',
  'body',
  'holes',
  'hidden',
  ...keyColumns(shapes),
  'words',
]

export const VALUE_COLUMNS = 'property, key, whole, folded'

/**
 * The first tables of a WITH: `given`, the members with their places, from 0 on; and `value`, what the properties with
 * many values have, with the places of the members. The parameters are those of `givenParams`.
 */
export function givenTables(shapes: readonly KeyShape[]): string {
  const columns = textColumns(shapes)
  const value = columns.length + 4
  return `
  given AS MATERIALIZED (
    SELECT ordinality - 1 AS place, sequence, version, owner,
      ${columns.map((name) => (name === 'words' ? 'words::text[] AS words' : name))}
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], ${columns.map((_, index) => `$${index + 4}::text[]`)})
      WITH ORDINALITY AS member (sequence, version, owner, ${columns}, ordinality)
  ),
  value AS MATERIALIZED (
    SELECT * FROM unnest($${value}::int[], $${value + 1}::smallint[], $${value + 2}::text[], $${value + 3}::text[],
      $${value + 4}::text[]) AS one (place, ${VALUE_COLUMNS})
  )`
}

/** How many parameters `givenParams` gives. */
export const givenCount = (shapes: readonly KeyShape[]): number => textColumns(shapes).length + 8

export function givenParams(shapes: readonly KeyShape[], given: readonly GivenMember[]): string[] {
  const rows = given.map(({ member }) => {
    const { id, body, holes, hidden, keys } = member
    return [id, body, holes, hidden, ...keyRow(shapes, keys, keyText), arrayOf(keys.words)]
  })
  const values = given.flatMap(({ member: { keys } }, place) =>
    shapes.flatMap(({ many }, property) => {
      const all = many ? (keys.values[property] as readonly Indexed[]) : []
      return all.map((one) => ({ ...one, place, property, key: keyText(one.key) }))
    }),
  )
  return [
    ...columnArrays(given, 'sequence', 'version'),
    arrayOf(given.map(({ member }) => member.owner ?? null)),
    ...textColumns(shapes).map((_, column) => arrayOf(rows.map((row) => row[column] ?? null))),
    ...columnArrays(values, 'place', 'property', 'key', 'whole', 'folded'),
  ]
}

/** The unique values of a member, with the places of their properties among the shapes. */
export const uniqueKeys = (shapes: readonly KeyShape[], { values }: Keys) =>
  shapes.flatMap(({ unique }, property) => {
    const value = values[property] as Indexed | null
    return unique && value !== null ? [{ property, key: keyText(value.key) }] : []
  })
