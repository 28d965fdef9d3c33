import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inSoak } from '../../support/soak.ts'
import { importOld, oldDatabase } from './old-database.ts'

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const name = fc.oneof(
  fc.constantFrom(
    'id',
    'Id',
    'a_id',
    'a',
    'A b',
    '2 x',
    '@id',
    'null',
    'Größe',
    'account',
    'events',
    'aCollection',
  ),
  fc.constantFrom(
    'posts',
    'post',
    'Post',
    'x:y',
    '__proto__',
    'hasOwnProperty',
    'b_ids',
    'title',
    '-',
    'vocab',
    "'",
  ),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !text.includes('\0') && text.trim() !== ''),
)
const column = fc.record({
  name,
  type: fc.constantFrom(
    'INTEGER',
    'TEXT',
    'VARCHAR(3)',
    'REAL',
    'NUMERIC(5,2)',
    'DATE',
    'DATETIME',
    'BLOB',
    '',
    'BOOLEAN',
    'POINT',
  ),
  more: fc.constantFrom(
    ...[
      '',
      '',
      ' NOT NULL',
      ' UNIQUE',
      ' NOT NULL DEFAULT 0',
      " NOT NULL DEFAULT 'now'",
      " DEFAULT 'x'",
      ' NOT NULL DEFAULT CURRENT_TIMESTAMP',
    ],
  ),
  check: fc.constantFrom(
    "IN ('a', 'b')",
    'IN (0, 1)',
    "IN ('a', 1, 1.0)",
    '> 0',
    '>= 5 AND $ <= 3',
    'BETWEEN -1 AND 1.5',
    '<> 7',
    "IN ('')",
  ),
  isChecked: fc.boolean(),
  /** The index of a table that it refers to. */
  refersTo: fc.option(fc.nat(3), { nil: undefined }),
})
const table = fc.record({
  name,
  columns: fc.uniqueArray(column, { minLength: 1, maxLength: 5, selector: (one) => one.name.toLowerCase() }),
  key: fc.nat(3),
  unique: fc.boolean(),
})
const database = fc.uniqueArray(table, {
  minLength: 1,
  maxLength: 4,
  selector: (one) => one.name.toLowerCase(),
})

type RandomTable = typeof table extends fc.Arbitrary<infer T> ? T : never

function create({ name, columns, key, unique }: RandomTable, all: readonly RandomTable[]): string {
  const names = columns.map((one) => quoted(one.name))
  const lines = columns.map(({ name, type, more, check, isChecked }) => {
    const own = quoted(name)
    return `${own} ${type}${more}${isChecked ? ` CHECK (${own} ${check.replace('$', () => own)})` : ''}`
  })
  const references = columns.flatMap(({ name, refersTo }) => {
    const target = refersTo === undefined ? undefined : all[refersTo]
    const [to] = target?.columns ?? []
    return to === undefined
      ? []
      : [`FOREIGN KEY (${quoted(name)}) REFERENCES ${quoted(target?.name ?? '')} (${quoted(to.name)})`]
  })
  const keys = [
    ...(key > 0 ? [`PRIMARY KEY (${names.slice(0, key).join(', ')})`] : []),
    ...(unique ? [`UNIQUE (${names.join(', ')})`] : []),
  ]
  return `CREATE TABLE ${quoted(name)} (${[...lines, ...references, ...keys].join(', ')});`
}

// `openBulk` reads the file as check does, and throws its problems.
test('whatever the tables are, the file that is proposed for them has no problem, and finds each table again', async (t) => {
  await fc.assert(
    fc.asyncProperty(database, async (tables) => {
      const usable = tables.filter((one) => !one.name.toLowerCase().startsWith('sqlite_'))
      const url = await oldDatabase(t, 'SQLite', usable.map((one) => create(one, usable)).join('\n'))
      if (usable.length === 0) return
      const { imported } = await importOld(t, url)
      assert.deepEqual(
        imported.unread.filter((one) => usable.some(({ name }) => name === one)),
        [],
      )
      const blobs = usable.flatMap(({ name, columns }) =>
        columns.filter(({ type }) => type === 'BLOB').map((one) => `${name}.${one.name}`),
      )
      assert.deepEqual(
        imported.unread.filter((one) => !blobs.includes(one)),
        [],
      )
    }),
    { numRuns: inSoak(300, 20) },
  )
})
