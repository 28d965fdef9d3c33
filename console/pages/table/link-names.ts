import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { inTurns } from '../../shared/loading.ts'
import { classOf, useKnownNames } from '../../shared/names/member-names.ts'
import { memoryOf, rememberNames } from '../../shared/names/memory.ts'
import { ownName } from '../../shared/names/naming.ts'
import { pathBelow } from '../../shared/routes.ts'
import type { Column } from './columns.ts'

/** The names of what the rows link to: each takes a request, so somebody has to want them. */
export interface LinkNames {
  /** Whether there is anything to be named. */
  readonly isUseful: boolean
  readonly isOn: boolean
  readonly isBusy: boolean
  readonly toggle: () => void
}

const MOST_ASKED = 100
const AT_ONCE = 4

export function useLinkNames(
  collection: string,
  members: readonly Member[],
  columns: readonly Column[],
): LinkNames {
  const api = useApi()
  const { client, base } = api
  const { naming } = memoryOf(client)
  const names = useKnownNames()
  const [isOn, setOn] = useState(naming.has(collection))
  const [isBusy, setBusy] = useState(false)
  // They stay without a name: nobody asks twice.
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set())
  const links = useMemo(
    () => linksShown(members, columns).filter((iri) => pathBelow(base, iri) !== undefined),
    [members, columns],
  )
  const missing = links.filter((iri) => !names.has(iri) && !failed.has(iri))

  // After the rows are shown: they do not wait for it.
  useEffect(() => {
    if (!isOn || missing.length === 0) return
    const controller = new AbortController()
    const { signal } = controller
    const read = async (iri: string): Promise<void> => {
      const member = await client.get(iri, { signal }).catch(() => undefined)
      if (signal.aborted) return
      const name = member && ownName(member.data, classOf(api, member))
      if (name === undefined) setFailed((before) => new Set(before).add(iri))
      else rememberNames(client, [[iri, name]])
    }
    setBusy(true)
    inTurns(missing.slice(0, MOST_ASKED), AT_ONCE, signal, read).then(() => signal.aborted || setBusy(false))
    return () => {
      controller.abort()
      setBusy(false)
    }
  }, [isOn, links])

  return {
    isUseful: isOn ? links.length > 0 : missing.length > 0,
    isOn,
    isBusy,
    toggle() {
      if (isOn) naming.delete(collection)
      else naming.add(collection)
      setOn(!isOn)
    },
  }
}

/** So many values of a list are enough to tell rows apart. */
export const MOST_VALUES = 3

/** The address that a value stands for, where it stands for one. */
export function linkIn(value: unknown, at: string): string | undefined {
  const link = typeof value === 'object' && value && '@id' in value ? value['@id'] : value
  return typeof link === 'string' ? (URL.parse(link, at)?.href ?? link) : undefined
}

/** What the rows link to, each address once, as far as it is shown. */
export function linksShown(members: readonly Member[], columns: readonly Column[]): readonly string[] {
  const names = columns.flatMap(({ kind, name }) => (kind === 'link' && name !== undefined ? name : []))
  const links = members.flatMap(({ data, iri }) =>
    names.flatMap((name) => [data[name]].flat().slice(0, MOST_VALUES)).map((value) => linkIn(value, iri)),
  )
  return [...new Set(links.filter((link) => link !== undefined))]
}
