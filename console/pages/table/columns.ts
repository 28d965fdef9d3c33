import { useMemo, useState } from 'preact/hooks'
import type {
  ClassDescription,
  CollectionDescription,
  Member,
  PropertyDescription,
} from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { memoryOf } from '../../shared/names/memory.ts'
import { capitalised, inWords, namingProperty } from '../../shared/names/naming.ts'
import { type Kind, kindOf } from '../../shared/values/kinds.ts'

export interface Column {
  /** The key in a representation; undefined for members that are known by their address alone. */
  readonly name: string | undefined
  readonly title: string
  readonly description: string
  readonly kind: Kind
  /** The class that a link leads to. */
  readonly range: string | undefined
}

const ADDRESS: Column = {
  name: undefined,
  title: 'Address',
  description: '',
  kind: 'text',
  range: undefined,
}

export type Columns = readonly [first: Column, ...others: Column[]]

/**
 * What people know a member by comes first, then what every member has, then everything else that can be read, as the
 * documentation has it: a screen has room for a few.
 */
export function columnsOf(cls: ClassDescription | undefined, members: readonly Member[]): Columns {
  const columns = cls?.properties.length
    ? cls.properties
        .filter(({ readable }) => readable)
        .toSorted((one, other) => Number(other.required) - Number(one.required))
        .map(describedColumn)
    : keysOf(members).map(plainColumn)
  const first = columns.find(({ name }) => name !== undefined && name === namingProperty(cls))
  return [first ?? ADDRESS, ...columns.filter((column) => column !== first)]
}

const describedColumn = (property: PropertyDescription): Column => ({
  name: property.name,
  title: capitalised(inWords(property.name)),
  description: property.description,
  kind: kindOf(property),
  range: property.range,
})

/** Of members that no documentation describes. */
const plainColumn = (name: string): Column => ({
  ...ADDRESS,
  name,
  title: capitalised(inWords(name)),
})

const keysOf = (members: readonly Member[]): string[] => [
  ...new Set(members.flatMap(({ data }) => Object.keys(data).filter((key) => !key.startsWith('@')))),
]

export interface ColumnChoice {
  readonly all: Columns
  readonly shown: Columns
  readonly hidden: ReadonlySet<string>
  readonly hide: (hidden: ReadonlySet<string>) => void
}

/** Which columns a table has. What somebody has hidden stays so while the page is open. */
export function useColumns(
  { name, memberClass }: CollectionDescription,
  members: readonly Member[] | undefined,
): ColumnChoice {
  const memory = memoryOf(useApi().client).hidden
  const [hidden, setHidden] = useState(memory.get(name) ?? new Set<string>())
  // Where the class says it all, other rows have the same columns.
  const told = memberClass?.properties.length ? undefined : members
  const all = useMemo(() => columnsOf(memberClass, told ?? []), [memberClass, told])
  const shown = useMemo((): Columns => {
    const [first, ...others] = all
    return [first, ...others.filter((column) => column.name === undefined || !hidden.has(column.name))]
  }, [all, hidden])
  return {
    all,
    shown,
    hidden,
    hide(next) {
      memory.set(name, next)
      setHidden(next)
    },
  }
}
