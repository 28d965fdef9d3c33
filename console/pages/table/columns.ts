import type { ClassDescription, CollectionDescription, Member, PropertyDescription } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import { useApi } from '../../shared/connection/index.ts'
import { labelProperties } from '../../shared/labels.ts'
import { labelOf, wordsOf } from '../../shared/names.ts'
import { keep, lastingMemory, recall } from '../../shared/state.ts'
import { kindOf } from '../../shared/values.ts'

type ColumnProperty = Pick<PropertyDescription, 'name' | 'title'> & Partial<PropertyDescription>

const columnOf = ({ name, title, description = '', isLink = false, range, ...more }: ColumnProperty) => ({
  /** The name of the property. */
  name,
  title: labelOf({ name, title }),
  /** The title within a sentence. */
  words: wordsOf({ name, title }),
  description,
  kind: kindOf({ isLink, range }),
  range,
  unit: more.unit,
  constraints: more.constraints ?? {},
  ...(more.always && { always: more.always }),
  /** Linked members are shown by name, and the API sorts them by address. Of many values, it sorts by one. */
  isSortable: name !== '' && !isLink && !more.many,
})

export type TableColumn = ReturnType<typeof columnOf>
export type TableColumns = readonly [first: TableColumn, ...others: TableColumn[]]

/** The address of the member, which is no property. */
const ADDRESS = columnOf({ name: '', title: 'Address' })

/** The name of the member comes first, then the required properties: a screen has room for only a few. */
export function columnsOf(cls: ClassDescription | undefined, members: readonly Member[]): TableColumns {
  const columns = cls?.properties.length
    ? cls.properties
        .filter(({ readable }) => readable)
        .toSorted((one, other) => Number(other.required) - Number(one.required))
        .map(columnOf)
    : keysOf(members).map((name) => columnOf({ name, title: name }))
  const label = labelProperties(cls)
  // A name of several parts has a column of its own, beside those of its parts.
  if (cls && (label.length > 1 || label[0]?.isLink))
    return [columnOf({ name: '', title: cls.title }), ...columns]
  const first = columns.find(({ name }) => name === label[0]?.name)
  return [first ?? ADDRESS, ...columns.filter((column) => column !== first)]
}

const keysOf = (members: readonly Member[]): string[] => [
  ...new Set(members.flatMap(({ data }) => Object.keys(data).filter((key) => !key.startsWith('@')))),
]

/** The columns of a table. The browser remembers which are hidden. */
export function useColumns(
  { name, memberClass }: CollectionDescription,
  members: readonly Member[] | undefined,
) {
  const key = `hydrant-columns ${useApi().base} ${name}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const names = recall(lastingMemory(), key)
    return new Set(Array.isArray(names) ? names.map(String) : [])
  })
  // If the class is described, all rows have the same columns.
  const told = memberClass?.properties.length ? undefined : members
  const all = useMemo(() => columnsOf(memberClass, told ?? []), [memberClass, told])
  const shown = useMemo((): TableColumns => {
    const [first, ...others] = all
    return [first, ...others.filter(({ name }) => !hidden.has(name))]
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
