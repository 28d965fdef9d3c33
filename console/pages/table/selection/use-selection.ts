import type { CollectionDescription, Member } from 'hydrant-client'
import { useMemo, useRef, useState } from 'preact/hooks'
import { type Api, hasFeed, isOfAccounts, offers, useApi } from '../../../shared/connection/index.ts'
import { changeableProperties } from './changeable-properties.ts'

interface SelectedRow {
  readonly member: Member
  /** The page that it was on. */
  readonly address: string
}

interface SelectableRows {
  readonly collection: CollectionDescription
  /** The page that is shown, and its address. */
  readonly members: readonly Member[] | undefined
  readonly address: string
  readonly filters: string
  readonly canExport: boolean
  readonly reload: () => void
}

export type RowSelection = ReturnType<typeof useSelection>

const NONE: ReadonlyMap<string, SelectedRow> = new Map()

/** The selected rows, over pages and orders. Other filters select nothing: nobody deletes what is out of sight. */
export function useSelection({ collection, members, address, filters, canExport, reload }: SelectableRows) {
  const api = useApi()
  const [selected, setSelected] = useState(NONE)
  const [filteredBy, setFilteredBy] = useState(filters)
  if (filteredBy !== filters) {
    setFilteredBy(filters)
    setSelected(NONE)
  }
  const latest = useRef<string>(undefined)
  // A page that was read again has newer versions.
  const current = useMemo(() => new Map(members?.map((one) => [one.iri, one])), [members])
  const set = (changed: readonly Member[], on: boolean): void => {
    const next = new Map(selected)
    for (const member of changed) {
      if (on) next.set(member.iri, { member, address })
      else next.delete(member.iri)
    }
    setSelected(next)
  }
  return {
    collection,
    reload,
    offered: useMemo(() => offeredFor(api, collection, canExport), [api, collection, canExport]),
    members: [...selected.values()].map(({ member }) => current.get(member.iri) ?? member),
    /** The pages that the selected rows were on. */
    addresses: [...new Set([...selected.values()].map((row) => row.address))],
    elsewhere: [...selected.keys()].filter((iri) => !current.has(iri)).length,
    has: (iri: string) => selected.has(iri),
    set,
    /** `isRange`: with all rows between this one and the latest. */
    toggle(member: Member, shown: readonly Member[], isRange: boolean): void {
      const places = [latest.current, member.iri].map((iri) => shown.findIndex((one) => one.iri === iri))
      const [from = -1, to = -1] = places.toSorted((one, other) => one - other)
      latest.current = member.iri
      set(isRange && from >= 0 ? shown.slice(from, to + 1) : [member], !selected.has(member.iri))
    },
    clear: () => setSelected(NONE),
    keep: (iris: readonly string[]) =>
      setSelected((before) => new Map([...before].filter(([iri]) => iris.includes(iri)))),
  }
}

/** What can be done with several members. Accounts cannot be part of a batch: their bodies may have secrets. */
function offeredFor(api: Api, collection: CollectionDescription, canExport: boolean) {
  const { memberClass } = collection
  const hasBatch = hasFeed(api) && api.links.batch !== undefined && !isOfAccounts(api, collection)
  const operations = hasBatch && memberClass ? memberClass.operations : []
  return {
    remove: offers(operations, 'DELETE'),
    change: offers(operations, 'PATCH') && changeableProperties(memberClass).length > 0,
    export: canExport,
  }
}
