import { useMemo, useState } from 'preact/hooks'
import type { CollectionDescription, Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { memoryOf } from '../../shared/names/memory.ts'
import { type Columns, columnsOf } from './columns.ts'

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
