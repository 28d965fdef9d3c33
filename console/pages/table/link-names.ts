import type { ClassDescription, Member } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import { readName, useApi } from '../../shared/connection/index.ts'
import { useKnownNames } from '../../shared/controls/index.ts'
import { namesOf } from '../../shared/labels.ts'
import { linkIn, pathBelow } from '../../shared/names.ts'
import { forEachConcurrently, useAbortableEffect } from '../../shared/state.ts'
import { isObject, linksWithin } from '../../shared/values.ts'
import { MOST_VALUES } from './cell.tsx'
import type { TableColumn } from './columns.ts'
import { valueAt } from './link-columns.ts'

export type LinkNames = ReturnType<typeof useLinkNames>

const MOST_ASKED = 100

/** The names of linked members. Each needs a request, so they are read on demand. */
export function useLinkNames(
  collection: string,
  members: readonly Member[],
  columns: readonly TableColumn[],
) {
  const api = useApi()
  const { base } = api
  const { naming } = api.memory
  const names = useKnownNames()
  const [isOn, setOn] = useState(naming.has(collection))
  // These have no name, and are not read again.
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set())
  const links = useMemo(
    () => linksShown(members, columns).filter((iri) => pathBelow(base, iri) !== undefined),
    [members, columns],
  )
  const isMissing = (iri: string): boolean => !names.has(iri) && !failed.has(iri)
  const wanted = useMemo(() => links.filter(isMissing).slice(0, MOST_ASKED), [isOn, links])
  const missing = wanted.filter(isMissing)

  // In an effect, so that the rows are shown first.
  useAbortableEffect(
    (signal) => {
      if (!isOn) return
      const read = async (iri: string): Promise<void> => {
        const name = await readName(api, iri, signal)
        if (name === undefined && !signal.aborted) setFailed((before) => new Set(before).add(iri))
      }
      forEachConcurrently(missing, { limit: 4, signal }, read)
    },
    [isOn, links],
  )

  return {
    isUseful: isOn ? links.length > 0 : missing.length > 0,
    isOn,
    isBusy: isOn && missing.length > 0,
    toggle() {
      if (isOn) naming.delete(collection)
      else naming.add(collection)
      setOn(!isOn)
    },
  }
}

/** The names of members that a page includes instead of their addresses. */
export function namesWithin(
  members: readonly Pick<Member, 'data'>[],
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
): readonly (readonly [iri: string, name: string | undefined])[] {
  const links = members.flatMap(({ data }) => [...linksWithin(data, cls, classes)])
  return links.flatMap(({ value, target }) =>
    isObject(value) && typeof value['@id'] === 'string'
      ? namesOf([{ iri: value['@id'], data: value }], target, classes)
      : [],
  )
}

function linksShown(members: readonly Member[], columns: readonly TableColumn[]): readonly string[] {
  const names = columns.flatMap(({ kind, name }) => (kind === 'link' ? name : []))
  const links = members.flatMap(({ data, iri }) =>
    names
      .flatMap((name) => [valueAt(data, name)].flat().slice(0, MOST_VALUES))
      .map((value) => linkIn(value, iri)),
  )
  return [...new Set(links.filter((link) => link !== undefined))]
}
