import type { CollectionDescription, Member } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import { useApi } from '../../shared/connection/index.ts'
import { keep, lastingMemory, recall } from '../../shared/state.ts'
import { columnsOf, type TableColumns } from './columns.ts'
import { linkColumnsOf, withBehindLinks } from './link-columns.ts'

/** The columns of a table. The browser remembers which are hidden; `linked` are those behind links, from the address. */
export function useColumns(
  { name, memberClass }: CollectionDescription,
  members: readonly Member[] | undefined,
  { linked, canInclude }: { readonly linked: readonly string[]; readonly canInclude: boolean },
) {
  const { base, documentation } = useApi()
  const key = `hydrant-columns ${base} ${name}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const names = recall(lastingMemory(), key)
    return new Set(Array.isArray(names) ? names.map(String) : [])
  })
  // If the class is described, all rows have the same columns.
  const told = memberClass?.properties.length ? undefined : members
  const all = useMemo(() => columnsOf(memberClass, told ?? []), [memberClass, told])
  const possible = useMemo(
    () => (canInclude ? linkColumnsOf(memberClass, documentation.classes) : []),
    [memberClass, documentation, canInclude],
  )
  const shown = useMemo((): TableColumns => {
    const [first, ...others] = all
    const own = others.filter(({ name }) => !hidden.has(name))
    const behind = linked.flatMap((name) => possible.find((one) => one.name === name) ?? [])
    // A link may be the first column, too.
    return [first, ...withBehindLinks([first, ...own], behind).slice(1)]
  }, [all, hidden, possible, linked])
  return {
    all,
    shown,
    hidden,
    possible,
    linked,
    hide(next: ReadonlySet<string>) {
      keep(lastingMemory(), key, next.size > 0 ? JSON.stringify([...next]) : undefined)
      setHidden(next)
    },
  }
}
