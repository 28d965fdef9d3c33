import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { inTurns } from '../../shared/concurrency.ts'
import { linksShown } from '../../shared/names/links.ts'
import { classOf } from '../../shared/names/member-name.ts'
import { memoryOf, rememberNames } from '../../shared/names/memory.ts'
import { useKnownNames } from '../../shared/names/names.ts'
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
