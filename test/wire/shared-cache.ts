import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import CachePolicy from 'http-cache-semantics'
import type { Ended } from '../support/service.ts'

interface UpstreamAnswer {
  readonly status: number
  /** As they came: names and values by turns. */
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Stored {
  readonly policy: CachePolicy
  readonly answer: UpstreamAnswer
}

export interface SharedCache {
  readonly port: number
  /** How many answers it has kept, and how many it has given from what it had. */
  readonly counts: { kept: number; reused: number }
}

/**
 * A shared cache (RFC 9111) that does all it may: it keeps whatever it is allowed to, and never forgets, not even after a
 * write. What it may not use without asking it validates, with the ETags of everything that it has of the address,
 * whoever that was for (§4.3.1); a 304 then selects from these by its ETag (§4.3.4).
 */
export async function startSharedCache(t: Ended, upstream: number): Promise<SharedCache> {
  const kept = new Map<string, Stored[]>()
  const counts = { kept: 0, reused: 0 }

  async function answerTo(incoming: IncomingMessage, body: Buffer): Promise<UpstreamAnswer> {
    const { method = '', url = '', headers } = incoming
    const stored = method === 'GET' ? (kept.get(url) ?? []) : []
    const asked = { method, url, headers: headers as CachePolicy.Headers }
    const fresh = stored.find(({ policy }) => policy.satisfiesWithoutRevalidation(asked))
    if (fresh !== undefined) {
      counts.reused += 1
      return fresh.answer
    }
    const own = headers['if-none-match']
    const tags = [...new Set([own, ...stored.map(({ answer }) => answer.headers.etag)])].filter(Boolean)
    const validating = tags.length > 0 ? { 'if-none-match': tags.join(', ') } : {}
    const answer = await forward(upstream, asked, { ...headers, ...validating }, body)
    const { etag } = answer.headers
    const selected =
      answer.status === 304 && !own?.includes(String(etag))
        ? stored.find((one) => one.answer.headers.etag === etag)
        : undefined
    if (selected !== undefined) {
      counts.reused += 1
      return updated(selected.answer, answer)
    }
    const policy = new CachePolicy(asked, {
      status: answer.status,
      headers: answer.headers as CachePolicy.Headers,
    })
    if (method === 'GET' && policy.storable()) {
      counts.kept += 1
      kept.set(url, [{ policy, answer }, ...stored.filter((one) => one.answer.headers.etag !== etag)])
    }
    return answer
  }

  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray())
    const answer = await answerTo(incoming, body)
    response.writeHead(answer.status, [...answer.rawHeaders])
    response.end(incoming.method === 'HEAD' ? undefined : answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  return { port: (server.address() as { port: number }).port, counts }
}

function forward(
  port: number,
  { method, url }: { readonly method: string; readonly url: string },
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', method, path: url, headers, agent: false },
      async (message) => {
        const { statusCode: status = 0, rawHeaders } = message
        resolve({
          status,
          rawHeaders,
          headers: message.headers,
          body: Buffer.concat(await message.toArray()),
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** RFC 9111 §3.2: the headers of the 304 take the place of those that were kept. */
function updated(kept: UpstreamAnswer, { rawHeaders }: UpstreamAnswer): UpstreamAnswer {
  const pairs = (list: readonly string[]) =>
    list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? ''] as const] : []))
  const newer = new Set(pairs(rawHeaders).map(([name]) => name.toLowerCase()))
  const older = pairs(kept.rawHeaders).filter(([name]) => !newer.has(name.toLowerCase()))
  return { ...kept, rawHeaders: [...pairs(rawHeaders), ...older].flat() }
}
