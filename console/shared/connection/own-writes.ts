import type { ChangeEvent } from 'hydrant-client'
import { attempt } from '../attempt.ts'
import { isObject, type ValuesByName } from '../values.ts'
import type { WireEntry } from './wire-log.ts'

type SentRequest = Pick<WireEntry, 'method' | 'url' | 'status' | 'responseHeaders'> &
  Partial<Pick<WireEntry, 'requestBody' | 'responseBody'>>

/** Whether a change was made by this page. */
export function isOwn(change: ChangeEvent, sent: readonly SentRequest[]): boolean {
  const { type, resource, etag } = change
  return sent
    .flatMap((request) => operationsIn(request, change))
    .some(({ method, url, status, ...written }) =>
      method === 'DELETE'
        ? type === 'delete' && url === resource && status < 300
        : method !== 'GET' && status < 300 && etag !== undefined && written.etag === etag,
    )
}

interface OwnWrite {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly etag: string
}

/** A request, or the operations of a batch (live.md, Many at once). */
function operationsIn(request: SentRequest, change: ChangeEvent): readonly OwnWrite[] {
  const { method, url, status = 500, responseHeaders, requestBody = '', responseBody = '' } = request
  if (method !== 'POST' || !url.endsWith('/batch'))
    return [{ method, url, status, etag: uncoded(responseHeaders.etag) }]
  // A large batch is parsed only if it may have made the change.
  const isIn = (body: string, text = '') => text !== '' && body.includes(text)
  const { resource, etag } = change
  if (!isIn(requestBody, resource) && !isIn(responseBody, etag?.slice(1, -1))) return []
  const results = operationList(responseBody)
  return operationList(requestBody).map((operation, index) => ({
    method: String(operation.method),
    url: String(operation.target),
    status: Number(results[index]?.status ?? 500),
    etag: uncoded(String(results[index]?.etag ?? '')),
  }))
}

function operationList(body: string): readonly ValuesByName[] {
  const parsed: unknown = attempt(() => JSON.parse(body))
  return isObject(parsed) && Array.isArray(parsed.operation) ? parsed.operation.filter(isObject) : []
}

/** The ETag of a compressed response names its content coding. */
const uncoded = (etag = ''): string => etag.replace(/-(br|gzip)"$/, '"')
