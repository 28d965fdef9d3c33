import { ApiError, type ChangesOptions, type Client } from 'hydrant-client'
import type { Addresses } from './addresses.ts'
import { BridgeProblem } from './problems.ts'

/** Each resource is a stream, of which a server gives a user only some. */
const MOST_STREAMS = 16

export interface ResourceSubscriptions {
  /** Resolves when the feed is being followed: every later change is reported. */
  start(key: string, uris: readonly string[]): Promise<void>
  stop(key: string): void
  stopAll(): void
}

interface ResourceSubscriptionsDependencies {
  readonly client: Client
  readonly addresses: Addresses
  /** Called with the URI, as it was subscribed to, whenever the resource has changed. */
  readonly report: (uri: string) => void
}

export function createSubscriptions({
  client,
  addresses,
  report,
}: ResourceSubscriptionsDependencies): ResourceSubscriptions {
  const running = new Map<string, { readonly stopping: AbortController; readonly streams: number }>()

  const stop = (key: string): void => {
    running.get(key)?.stopping.abort()
    running.delete(key)
  }

  /** A collection by its name, which the feed takes; a member by its address. */
  async function filterFor(uri: string): Promise<ChangesOptions> {
    const address = await addresses.resolve(uri)
    const collection = (await client.collections()).find(({ iri }) => iri === address)
    return collection ? { collection: collection.name } : { resource: address }
  }

  /** The promise is settled by the first event, or by the failure to get one. */
  const follow = (uri: string, options: ChangesOptions): Promise<void> =>
    new Promise((resolve, reject) => {
      const reading = async () => {
        for await (const { type } of client.changes(options)) {
          if (type === 'start') resolve()
          else report(uri)
        }
      }
      reading().catch((error: unknown) => {
        reject(error)
        // A feed that is refused after its start, since its events are too old: the resource may have changed unseen.
        if (error instanceof ApiError) report(uri)
      })
    })

  return {
    async start(key, uris) {
      stop(key)
      const { links } = await client.entryPoint()
      if (!links.events) throw new BridgeProblem('no-feed', {})
      const streams = [...running.values()].reduce((sum, one) => sum + one.streams, uris.length)
      if (streams > MOST_STREAMS) throw new BridgeProblem('too-many-subscriptions', { most: MOST_STREAMS })
      const stopping = new AbortController()
      running.set(key, { stopping, streams: uris.length })
      try {
        const { signal } = stopping
        await Promise.all(uris.map(async (uri) => follow(uri, { ...(await filterFor(uri)), signal })))
      } catch (error) {
        stop(key)
        throw error
      }
    },
    stop,
    stopAll() {
      for (const key of [...running.keys()]) stop(key)
    },
  }
}
