import type { KeyShape } from '../../vocabulary/keys.ts'

/**
 * The tables of one class.
 *
 * - `members`: what is served, in the order of creation (`sequence`), and what it is found by: a column `k0`, `k1` … a
 *   property with its key as text (of a property with many values the least one), `x0` … with the whole text where the
 *   key is cut, `f0` … with the folded one where it differs from the whole one.
 * - `values`: a row for each key of a property with many values.
 * - `words`: a row for each word of a member, for free text. The member has them too, by which they are found when it
 *   is changed or removed: that costs less than a second index.
 * - `order` and `versions`: sequences. They give out numbers without a lock, and none twice.
 */
export interface Tables {
  readonly classId: number
  readonly members: string
  readonly values: string
  readonly words: string
  readonly order: string
  readonly versions: string
  readonly shapes: readonly KeyShape[]
}

/** Numbered: another API file makes other tables, and who was started with the former one finds his no more. */
export const tablesOf = (classId: number, shapes: readonly KeyShape[]): Tables => ({
  classId,
  members: `members_${classId}`,
  values: `values_${classId}`,
  words: `words_${classId}`,
  order: `order_${classId}`,
  versions: `versions_${classId}`,
  shapes,
})

export const createSequences = ({ order, versions }: Tables): string =>
  `CREATE SEQUENCE ${order}; CREATE SEQUENCE ${versions};`

/** Without indexes, which are made faster when the rows are there. */
export const createTables = ({ members, values, words, order, shapes }: Tables): string => `
  CREATE TABLE ${members} (
    sequence bigint NOT NULL DEFAULT nextval('${order}'),
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
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
  ${shapes
    .map(({ unique }, index) =>
      [
        `CREATE INDEX ${members}_${index} ON ${members} (k${index}, sequence);`,
        ...(unique ? [`CREATE UNIQUE INDEX ${uniqueIndex(members, index)} ON ${members} (k${index});`] : []),
      ].join('\n'),
    )
    .join('\n')}
`

/** Its name says which property a refused insert is about. */
export const uniqueIndex = (members: string, index: number): string => `${members}_${index}_unique`

export const dropTables = ({ members, values, words }: Tables): string =>
  `DROP TABLE IF EXISTS ${members}, ${values}, ${words};`

/** In the order in which a row of keys is written: for each property its key, and of text the whole and the folded. */
export const keyColumns = (shapes: readonly KeyShape[]): string[] =>
  shapes.flatMap((shape, index) =>
    hasTextColumns(shape) ? [`k${index}`, `x${index}`, `f${index}`] : [`k${index}`],
  )

/** Of many values, the texts stand beside each. */
export const hasTextColumns = ({ long, many }: KeyShape): boolean => long && !many
