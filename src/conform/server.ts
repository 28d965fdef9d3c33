import { randomUUID } from 'node:crypto'
import { ApiError, type AskCredentials, createClient, type WireRecord } from 'hydrant-client'
import { createBoundedFetch } from '../bounded-fetch.ts'
import type { ServerReply } from './resource.ts'
import { type VisitedApi, visitApi } from './visit.ts'

/** More time and more bytes than any server needs for one response of a visit. */
const boundedFetch = createBoundedFetch({ timeoutMs: 15_000, maxBytes: 16 * 1_024 * 1_024 })

/** After this time no further request is sent. */
const VISIT_MS = 120_000

/** A visit changes nothing: even the token that was issued is left to expire. */
const readingFetch: typeof fetch = (input, init) => {
  if (!READING.has(init?.method ?? 'GET')) throw new TypeError('Only reading requests are sent.')
  return boundedFetch(input, init)
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Walks the API at an address, signed in if it asks for that. Throws an ApiError if it cannot be reached or entered. */
export async function visitServer(address: string, credentials: AskCredentials): Promise<VisitedApi> {
  let last: WireRecord | undefined
  const client = createClient({
    base: address,
    credentials,
    fetch: readingFetch,
    // No retries: a person at a terminal can try again.
    patience: 0,
    observe(record) {
      last = record
    },
  })
  const end = performance.now() + VISIT_MS
  let isFirst = true

  async function send(url: string): Promise<ServerReply | undefined> {
    if (performance.now() > end) return undefined
    const isEssential = isFirst
    isFirst = false
    let redirected = url
    try {
      redirected = (await client.request('GET', url)).url
    } catch (error) {
      // The rules look at refusals too; but without credentials, or without a server, there is nothing to look at.
      if (!(error instanceof ApiError) || isEssential) throw error
      if (error.kind === 'unreachable') return { url, status: 0, headers: {}, body: '' }
    }
    const { status = 0, responseHeaders = {}, responseBody = '' } = last ?? {}
    return { url: redirected, status, headers: responseHeaders, body: responseBody }
  }
  return visitApi({ address, send, unknown: randomUUID() })
}
