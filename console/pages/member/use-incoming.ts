import { useEffect, useState } from 'preact/hooks'
import type { Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { inTurns } from '../../shared/concurrency.ts'
import { classOf } from '../../shared/names/member-name.ts'
import { type Incoming, type IncomingMembers, incomingTo, readIncoming } from './incoming.ts'

export interface IncomingGroup extends Incoming {
  readonly state: 'waiting' | 'done' | 'failed'
  readonly found?: IncomingMembers | undefined
  readonly error?: unknown
  readonly retry: () => void
}

const AT_ONCE = 3

/** What links to a member, one group after the other, each with a fate of its own. */
export function useIncoming(member: Member): readonly IncomingGroup[] {
  const api = useApi()
  const [groups, setGroups] = useState<readonly IncomingGroup[]>([])
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const change = (index: number, changes: Partial<IncomingGroup>): void => {
      if (signal.aborted) return
      setGroups((before) => before.map((group, at) => (at === index ? { ...group, ...changes } : group)))
    }
    const read = async (index: number): Promise<void> => {
      const group = started[index]
      if (!group) return
      change(index, { state: 'waiting', error: undefined })
      try {
        change(index, { state: 'done', found: await readIncoming(api.client, group, member.iri, signal) })
      } catch (error) {
        change(index, { state: 'failed', error })
      }
    }
    const started = incomingTo(classOf(api, member), api.collections).map(
      (incoming, index): IncomingGroup => ({ ...incoming, state: 'waiting', retry: () => read(index) }),
    )
    setGroups(started)
    inTurns([...started.keys()], AT_ONCE, signal, read)
    return () => controller.abort()
  }, [api, member.iri])
  return groups
}
