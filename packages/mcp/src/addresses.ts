import type { AbortOptions, Client } from 'hydrant-client'
import { BridgeProblem } from './problems.ts'

export interface Addresses {
  /** The absolute address for a name of the entry point, or for an address; refused outside of the API. */
  resolve(given: string, options?: AbortOptions): Promise<string>
  /** The name of the collection at an address. */
  nameOf(address: string, options?: AbortOptions): Promise<string | undefined>
}

/**
 * An agent reads addresses in texts that anyone may have written. So it can use only those below the base, or below a
 * link of the entry point on the same origin: an open API of somebody else may have its members beside its entry point.
 */
export function createAddresses(client: Client): Addresses {
  const { origin } = new URL(client.base)

  async function resolve(given: string, options?: AbortOptions): Promise<string> {
    const { links } = await client.entryPoint(options)
    const named = Object.hasOwn(links, given) ? links[given] : given
    // Parsing resolves ".." and backslashes, as `fetch` would.
    const url = URL.parse(named ?? '', `${client.base}/`)
    const isOwn =
      url?.origin === origin &&
      url.username === '' &&
      url.password === '' &&
      [client.base, ...Object.values(links)].some((start) => isBelow(start, url))
    if (!isOwn) throw new BridgeProblem('outside-api', { base: client.base })
    return url.href
  }

  return {
    resolve,
    async nameOf(address, options) {
      const { links } = await client.entryPoint(options)
      return Object.keys(links).find((name) => links[name] === address)
    },
  }
}

/** Whether the path of the URL is that of `start`, or continues it. */
function isBelow(start: string, { origin, pathname }: URL): boolean {
  const url = URL.parse(start)
  if (url?.origin !== origin) return false
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return pathname === path || pathname.startsWith(`${path}/`)
}
