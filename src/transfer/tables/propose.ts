// Proposes an API file for the tables of a database.
import { MAX_VALUES, plural } from '../../vocabulary/index.ts'
import type { Proposal, ProposedClass } from '../proposal/file.ts'
import { camelCase } from '../proposal/names.ts'
import { joinTableOf, turned } from './plan.ts'
import { type ProposedTables, proposeClass } from './propose-class.ts'
import type { JoinTable, OtherThing, SourceSchema, TableSource } from './schema.ts'
import { nameClasses } from './table-names.ts'

const REASONS: Readonly<Record<OtherThing['reason'], string>> = {
  view: 'is a view: its values are those of tables',
  virtual: 'is a virtual table: its values are made by an extension of SQLite',
  forbidden: 'may not be read by the user of the address',
}

/** `shown`: the address without a password. */
export async function proposeForDatabase(
  source: TableSource,
  shown: string,
  title: string,
): Promise<Proposal> {
  const schema = await source.describe()
  const joins = await chooseJoins(schema, source)
  const tables = schema.tables.filter((table) => !joins.some((join) => join.table === table))
  const names = nameClasses(tables)
  const proposed: ProposedTables = { tables: schema.tables, joins, names }
  const classes: ProposedClass[] = []
  for (const table of tables) {
    const texts = table.columns.filter(({ datatype, isRequired }) => datatype === 'string' && isRequired)
    const blank = await source.findBlank(
      table,
      texts.map(({ name }) => name),
    )
    classes.push(proposeClass(table, blank, proposed))
  }
  return { title, classes: withReverse(classes), remarks: remarksOn(schema, shown) }
}

/** Members at the other end of links to many get the links from the other side, if that name is free. */
function withReverse(classes: readonly ProposedClass[]): ProposedClass[] {
  const taken = new Map(
    classes.map(({ name, properties }) => [name, new Set(properties.map((property) => property.name))]),
  )
  return classes.map((cls) => ({
    ...cls,
    properties: cls.properties.map((property) => {
      const reverse = camelCase(plural(cls.name))
      const names = property.keys.many === true ? taken.get(property.type) : undefined
      if (names === undefined || reverse === '' || names.has(reverse)) return property
      names.add(reverse)
      return { ...property, keys: { ...property.keys, reverse } }
    }),
  }))
}

function remarksOn({ others }: SourceSchema, shown: string): string[] {
  return [
    `An API file for the tables of ${shown}.`,
    'Proposed from its tables, keys and references: look at the names, the types, and at what is required.',
    'The key of a row becomes the id of its member. Times without a zone are read as UTC.',
    ...others.map(({ name, reason }) => `Left out: ${name} ${REASONS[reason]}.`),
  ]
}

/** A member has up to 1,000 links in a property: the links are on the side where that is enough, if there is one. */
async function chooseJoins({ tables }: SourceSchema, source: TableSource): Promise<JoinTable[]> {
  const chosen: JoinTable[] = []
  for (const table of tables) {
    const join = joinTableOf(table, tables)
    if (join === undefined) continue
    for (const side of [join, turned(join)]) {
      if ((await source.countMost(table, side.from.columns)) > MAX_VALUES) continue
      chosen.push(side)
      break
    }
  }
  return chosen
}
