import type { SecretKeeper } from './secrets.ts'

const MOST_REDIRECTS = 5

/**
 * The `fetch` of the client. It notes the secrets that pass through, and follows a redirect only within its origin: an
 * agent must not reach other hosts through an API that redirects to any address.
 */
export function createGuardedFetch(secrets: SecretKeeper): typeof fetch {
  async function send(url: string, init: RequestInit, redirects: number): Promise<Response> {
    const response = await fetch(url, { ...init, redirect: 'manual' })
    secrets.note(response.headers)
    const target = redirectTarget(response, url)
    if (init.redirect === 'manual' || target === undefined || redirects === 0) return response
    await response.body?.cancel()
    return send(target, init, redirects - 1)
  }
  return (input, init = {}) => {
    secrets.note(new Headers(init.headers))
    return send(`${input instanceof Request ? input.url : input}`, init, MOST_REDIRECTS)
  }
}

function redirectTarget(response: Response, url: string): string | undefined {
  if (response.status < 300 || response.status > 399) return undefined
  const target = URL.parse(response.headers.get('location') ?? '', url)
  return target?.origin === new URL(url).origin && response.headers.has('location') ? target.href : undefined
}
