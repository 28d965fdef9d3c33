import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../src/client/index.ts'
import { useApi } from '../api.tsx'
import { capitalised, inWords } from '../naming.ts'
import { Empty } from './empty.tsx'
import { Foot } from './foot.tsx'
import { Grid } from './grid.tsx'
import { partOf } from './parts.ts'
import { createPlaces } from './place.ts'
import { addressOf, orderOf, withoutPlace } from './query.ts'
import { useCount } from './use-count.ts'
import type { TableState } from './use-table.ts'

interface SheetProps {
  readonly collection: CollectionDescription
  readonly table: TableState
  readonly create: ComponentChildren
  readonly onQuery: (query: string) => void
}

/** The rows of a page, or why there are none. Those of before stay until the others are there. */
export function Sheet({ collection, table, create, onQuery }: SheetProps) {
  const { name, iri, memberClass } = collection
  const { rows, pairs, answered, variables } = table
  const { client } = useApi()
  const members = useMemo(() => client.collection(name), [client, name])
  const query = rows.value?.query ?? ''
  const counting = useCount(members, addressOf(iri, query), withoutPlace(answered))
  const [places] = useState(createPlaces)
  const [turned, setTurned] = useState({ query, number: 0 })
  const page = rows.value?.page
  if (page?.members.length === 0) {
    return <Empty name={name} page={page} pairs={answered} create={create} onQuery={onQuery} />
  }
  const all = page?.members
  const isWhole = page?.previous === undefined && page?.next === undefined
  const total = page?.totalItems ?? counting.total ?? (isWhole ? all?.length : undefined)
  const part = partOf(all?.length ?? 0, turned.query === query ? turned.number : 0)
  const { start, end } = part
  return (
    <div class="table-sheet">
      <Grid
        title={capitalised(inWords(name))}
        cls={memberClass}
        members={all?.slice(start, end)}
        place={`${query} ${part.number}`}
        busy={rows.busy}
        pairs={pairs}
        variables={variables}
        onQuery={onQuery}
      />
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
          countsToThousand={table.countsToThousand}
          counting={counting}
          part={part}
          onPart={(number) => setTurned({ query, number })}
          onQuery={onQuery}
        />
      )}
    </div>
  )
}
