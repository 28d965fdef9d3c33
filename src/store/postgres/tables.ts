import type { KeyShape } from '../../vocabulary/keys.ts'
import { keyColumns, type QueryTables } from '../query/dialect.ts'

export { keyColumns } from '../query/dialect.ts'

/**
 * A member has its words in a column too, by which they are found when it is changed or removed: that costs less than a
 * second index. `order` and `versions` are sequences: they give out numbers without a lock, and none twice.
 */
export interface Tables extends QueryTables {
  readonly order: string
  readonly versions: string
}

/** Numbered: another API file makes other tables, and who was started with the former one finds his no more. */
export const tablesOf = (classId: number, shapes: readonly KeyShape[]): Tables => ({
  classId,
  members: `members_${classId}`,
  keys: `members_${classId}`,
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
