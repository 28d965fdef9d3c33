import { useMemo, useState } from 'preact/hooks'
import type {
  ClassDescription,
  CollectionDescription,
  Member,
  PropertyDescription,
} from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { labelOf, namingProperty, wordsOf } from '../../shared/names.ts'
import { keep, lastingMemory, recall } from '../../shared/state.ts'
import { type Kind, kindOf } from '../../shared/values.ts'

export interface Column {
  /** Of the property; undefined for the address of the member. */
  readonly name: string | undefined
  readonly title: string
  /** The same within a sentence. */
  readonly words: string
  readonly description: string
  readonly kind: Kind
  readonly range: string | undefined
}

const ADDRESS: Column = {
  name: undefined,
  title: 'Address',
  words: 'address',
  description: '',
  kind: 'text',
  range: undefined,
}

export type Columns = readonly [first: Column, ...others: Column[]]

/** The naming property comes first, then the required ones, then the others: a screen has room for a few. */
export function columnsOf(cls: ClassDescription | undefined, members: readonly Member[]): Columns {
  const columns = cls?.properties.length
    ? cls.properties
        .filter(({ readable }) => readable)
        .toSorted((one, other) => Number(other.required) - Number(one.required))
        .map(columnOf)
    : keysOf(members).map((name) =>
        columnOf({ name, title: name, description: '', isLink: false, range: undefined }),
      )
  const first = columns.find(({ name }) => name !== undefined && name === namingProperty(cls))
  return [first ?? ADDRESS, ...columns.filter((column) => column !== first)]
}

type Shown = Pick<PropertyDescription, 'name' | 'title' | 'description' | 'isLink' | 'range'>

const columnOf = (property: Shown): Column => ({
  name: property.name,
  title: labelOf(property),
  words: wordsOf(property),
  description: property.description,
  kind: kindOf(property),
  range: property.range,
})

const keysOf = (members: readonly Member[]): string[] => [
  ...new Set(members.flatMap(({ data }) => Object.keys(data).filter((key) => !key.startsWith('@')))),
]

/** The columns of a table. The browser remembers which are hidden. */
export function useColumns(
  { name, memberClass }: CollectionDescription,
  members: readonly Member[] | undefined,
) {
  const key = `hydrant-columns ${useApi().base} ${name}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => readHidden(key))
  // Where the class is described, other rows have the same columns.
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
    hide(next: ReadonlySet<string>) {
      keep(lastingMemory(), key, next.size > 0 ? JSON.stringify([...next]) : undefined)
      setHidden(next)
    },
  }
}

function readHidden(key: string): ReadonlySet<string> {
  const names = recall(lastingMemory(), key)
  return new Set(Array.isArray(names) ? names.map(String) : [])
}
