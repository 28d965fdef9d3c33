import ipaddr from 'ipaddr.js'
import type { AddressReader } from '../http/request.ts'
import type { FailureLimits } from '../store/store.ts'

export const DEFAULT_LIMITS: FailureLimits = {
  user: { failures: 20, windowMs: 5 * 60_000 },
  address: { failures: 100, windowMs: 60_000 },
}

/**
 * Whom the throttle counts: an IPv4 address, or the /64 of an IPv6 one, since a single IPv6 subscriber has
 * 2^64 addresses to choose from. IPv4 in IPv6 clothes is IPv4.
 */
export function throttleKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/**
 * The client's address: the peer's, or, where the peer is a trusted proxy, the nearest address in
 * X-Forwarded-For that is not one. Everything to the left of that is the client's own invention.
 */
export function createAddressReader(trusted: readonly AddressRange[]): AddressReader {
  if (trusted.length === 0) return (peer) => peer
  return (peer, forwardedFor) => {
    let client = peer
    for (const hop of (forwardedFor ?? '').split(',').reverse()) {
      if (!isTrusted(client, trusted)) return client
      const address = hop.trim()
      if (!ipaddr.isValid(address)) return client
      client = address
    }
    return client
  }
}

export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** `10.0.0.0/8`, `::1` … Undefined for what is neither an address nor a range. */
export function readAddressRange(text: string): AddressRange | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isTrusted(address: string, trusted: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return trusted.some(
    ([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits] as never),
  )
}
