import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { ProblemData } from '../problem.ts'
import { type AddressReach, reachOf } from './addresses.ts'
import { deliveryProblem, webhookProblem } from './problems.ts'

/** Where a webhook sends events. */
export interface Destination {
  readonly url: URL
  /** A name, or an address without the brackets of IPv6. */
  readonly host: string
  /** Whether `--webhook-allow` names the host. */
  readonly isAllowed: boolean
}

/** All addresses of a host name. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

/**
 * Reads the address of a receiver (library.md, Webhooks): `https:`, or on this machine. The URL standard writes addresses
 * such as `0x7f.1` or `2130706433` out, so that they are judged like 127.0.0.1.
 */
export function readDestination(text: string, allowed: readonly string[]): Destination | ProblemData {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return webhookProblem('InvalidWebhookUrl')
  if (url.username !== '' || url.password !== '')
    return webhookProblem('UnusableWebhookUrl', { part: 'user' })
  if (text.includes('#')) return webhookProblem('UnusableWebhookUrl', { part: 'fragment' })
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url.protocol === 'http:' && !isLocal(host)) return webhookProblem('PlainHttpWebhook')
  const destination = { url, host, isAllowed: allowed.includes(host) }
  const reach = reachOf(host)
  // A name is judged when its addresses are known.
  if (isIP(host) === 0 || permits(destination, reach)) return destination
  return webhookProblem('WebhookAddressNotAllowed', { address: host, reach })
}

/** Whether a host is this machine by its very name. Other names that lead here are those of somebody else's DNS. */
const isLocal = (host: string): boolean => host === 'localhost' || reachOf(host) === 'loopback'

/** Names in private networks must be allowed. Some addresses are never those of a receiver, and cannot be allowed. */
function permits({ host, isAllowed }: Destination, reach: AddressReach): boolean {
  if (isLocal(host)) return reach === 'loopback'
  return reach === 'public' || (isAllowed && reach !== 'unusable')
}

/**
 * The addresses to connect to, each of them checked; throws if one of them is not permitted. A name may have other
 * addresses a moment later (DNS rebinding), so connections go to the result, and nothing looks the name up again.
 */
export async function resolveDestination(
  destination: Destination,
  lookup: Lookup,
): Promise<readonly LookupAddress[]> {
  const { host } = destination
  const family = isIP(host)
  const addresses = family === 0 ? await findAddresses(host, lookup) : [{ address: host, family }]
  for (const { address } of addresses) {
    const reach = reachOf(address)
    if (!permits(destination, reach)) throw deliveryProblem('ReceiverNotAllowed', { host, address, reach })
  }
  return addresses
}

async function findAddresses(host: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  let systemCode = 'ENOTFOUND'
  try {
    const addresses = await lookup(host)
    if (addresses.length > 0) return addresses
  } catch (error) {
    systemCode = (error as NodeJS.ErrnoException).code ?? systemCode
  }
  throw deliveryProblem('ReceiverNotFound', { host, systemCode })
}
