import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { ResourceSubscriptions } from './subscriptions.ts'

/**
 * Hosts that speak the revision 2026-07-28 of the protocol subscribe with `subscriptions/listen`, which the SDK answers
 * by itself: it passes our notifications on to those who asked for them, but does not tell us who did. So the requests
 * are seen here, on their way to the SDK, and passed on once the feed is being followed.
 */
export function watchListening(transport: Transport, subscriptions: ResourceSubscriptions): void {
  const deliver = transport.onmessage
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    const passOn = () => deliver?.(message, extra)
    const asked = readListening(message)
    if (asked) {
      // A feed that is refused leaves a subscription that nothing is reported to: this protocol knows no other answer.
      subscriptions.start(asked.key, asked.uris).then(passOn, passOn)
      return
    }
    const ended = readCancelled(message)
    if (ended !== undefined) subscriptions.stop(ended)
    passOn()
  }
}

const keyOf = (id: unknown): string => `listen ${typeof id} ${id}`

interface ListeningRequest {
  readonly key: string
  readonly uris: readonly string[]
}

function readListening(message: JSONRPCMessage): ListeningRequest | undefined {
  if (!('method' in message && 'id' in message) || message.method !== 'subscriptions/listen') return undefined
  const { notifications } = (message.params ?? {}) as { readonly notifications?: Record<string, unknown> }
  const uris = notifications?.resourceSubscriptions
  if (!Array.isArray(uris) || uris.length === 0) return undefined
  return { key: keyOf(message.id), uris: uris.filter((uri) => typeof uri === 'string') }
}

function readCancelled(message: JSONRPCMessage): string | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const { requestId } = (message.params ?? {}) as { readonly requestId?: unknown }
  return requestId === undefined ? undefined : keyOf(requestId)
}
