import type { ClassDescription, Member, PropertyDescription } from 'hydrant-client'
import { labelProperties } from '../../shared/labels.ts'
import { labelOf, wordsOf } from '../../shared/names.ts'
import { kindOf } from '../../shared/values.ts'

type ColumnProperty = Pick<PropertyDescription, 'name' | 'title'> & Partial<PropertyDescription>

export const columnOf = ({
  name,
  title,
  description = '',
  isLink = false,
  range,
  ...more
}: ColumnProperty) => ({
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
  /** Of many values, the API sorts by one. */
  isSortable: name !== '' && !more.many,
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
