import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { CollectionDescription, Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { Button } from '../../shared/controls/button.tsx'
import { useKnownNames, useRemembering } from '../../shared/names/member-names.ts'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { KnownNames } from '../../shared/values/value.tsx'
import type { ColumnChoice } from './columns.ts'
import { Empty } from './empty.tsx'
import { Foot } from './foot.tsx'
import { Grid } from './grid.tsx'
import { useLinkNames } from './link-names.ts'
import { createPlaces, partOf } from './position.ts'
import { addressOf, orderOf, withoutPlace } from './query.ts'
import { useCount } from './use-count.ts'
import type { TableState } from './use-table.ts'

interface SheetProps {
  readonly collection: CollectionDescription
  readonly table: TableState
  /** What the address asks for. */
  readonly asked: string
  readonly columns: ColumnChoice
  readonly create: ComponentChildren
  readonly onQuery: (query: string) => void
}

const NONE: readonly Member[] = []
/** So many rows are always in sight. */
const FEW = 5

/** The rows of a page, or why there are none. Those of before stay until the others are there. */
export function Sheet({ collection, table, asked, columns, create, onQuery }: SheetProps) {
  const { name, iri, memberClass } = collection
  const { rows, pairs, answered, variables } = table
  const { client } = useApi()
  const members = useMemo(() => client.collection(name), [client, name])
  const query = rows.value?.query ?? ''
  const counting = useCount(members, addressOf(iri, query), withoutPlace(answered))
  const [places] = useState(createPlaces)
  const [turned, setTurned] = useState({ query, number: 0 })
  const page = rows.value?.page
  const all = page?.members
  const isWhole = page?.previous === undefined && page?.next === undefined
  const total = page?.totalItems ?? counting.total ?? (isWhole ? all?.length : undefined)
  const part = partOf(all?.length ?? 0, turned.query === query ? turned.number : 0)
  const { start, end } = part
  const shown = useMemo(() => all?.slice(start, end), [all, start, end])
  useRemembering(shown, memberClass)
  const known = useKnownNames()
  const linkNames = useLinkNames(name, shown ?? NONE, columns.shown)
  if (page?.members.length === 0)
    return (
      <Empty
        collection={collection}
        page={page}
        pairs={answered}
        variables={variables}
        create={create}
        onQuery={onQuery}
      />
    )
  return (
    <div class={!shown || shown.length > FEW ? 'table-sheet long' : 'table-sheet'}>
      {page && <SkipRows />}
      <KnownNames.Provider value={known}>
        <Grid
          title={capitalised(inWords(name))}
          cls={memberClass}
          columns={columns.shown}
          members={shown}
          query={asked}
          place={`${query} ${part.number}`}
          busy={rows.busy}
          pairs={pairs}
          variables={variables}
          onQuery={onQuery}
        />
      </KnownNames.Provider>
      {all && part.lastNumber > 0 && (
        <p class="table-cut">
          The API sent {all.length} members at once. These are {start + 1} to {end} of them; Previous and Next
          lead to the others.
        </p>
      )}
      {page && (
        <Foot
          name={name}
          page={page}
          before={places.before(query, answered, { ...page, totalItems: total })}
          total={total}
          order={orderOf(answered)}
          pairs={pairs}
          variables={variables}
          countsToThousand={table.isHydrant}
          counting={counting}
          linkNames={linkNames}
          part={part}
          onPart={(number) => setTurned({ query, number })}
          onQuery={onQuery}
        />
      )}
    </div>
  )
}

/** Rows are many: by keys one gets past them at once. */
export const SkipRows = () => (
  <Button
    class="table-skip"
    onClick={({ currentTarget }) => {
      const pager = currentTarget.parentElement?.querySelectorAll<HTMLElement>('.table-pager a') ?? []
      const usable = [...pager].filter((link) => link.getAttribute('aria-disabled') !== 'true')
      const next = usable.find((link) => link.textContent === 'Next')
      ;(next ?? usable[0] ?? pager[0])?.focus()
    }}
  >
    Skip to the pages
  </Button>
)
