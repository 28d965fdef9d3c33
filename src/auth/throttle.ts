// Also a door, for `config/`, which every command loads: nothing here loads argon2 or a database.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { AddressReader } from '../http/index.ts'

export { LONGEST_TOKEN_MS } from './store/index.ts'

/** See FailureLimits of the store. */
export const DEFAULT_LIMITS = {
  user: { failures: 20, windowMs: 5 * 60_000 },
  address: { failures: 100, windowMs: 60_000 },
} as const

/** The throttle counts by this key: an IPv4 address, or the /64 of an IPv6 one, since each subscriber has a whole /64. */
export const throttleKey = (address: string): string => networkOf(address, 64)

/** The hashing queue takes turns by this key: a site with a /48 has 65,536 networks, and would otherwise have as many turns. */
export const queueKey = (address: string): string => networkOf(address, 48)

function networkOf(address: string, bits: 48 | 64): string {
  const parsed = parse(address)
  if (parsed === undefined) return address
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, bits / 16).map((part) => part.toString(16))
  return `${network.join(':')}::/${bits}`
}

/** More proxies than any deployment has in a row. */
const MAX_HOPS = 32

/**
 * The client's address: the peer's or, if the peer is a trusted proxy, the last address in X-Forwarded-For that is not a
 * trusted proxy. The client may have made up the addresses before that.
 */
export function createAddressReader(trusted: readonly string[]): AddressReader {
  if (trusted.length === 0) return (peer) => peer
  const ranges = trusted.map((text) => {
    const range = readAddressRange(text)
    if (range === undefined) throw new RangeError(`"${text}" is not an address or a range.`)
    return range
  })
  return (peer, forwardedFor) => {
    let client = peer
    let hops = forwardedFor ?? ''
    // A client may send any number of addresses of trusted proxies.
    for (let count = 0; count < MAX_HOPS && isTrusted(client, ranges); count += 1) {
      const comma = hops.lastIndexOf(',')
      const hop = hops.slice(comma + 1).trim()
      if (isIP(hop) === 0) return client
      client = hop
      hops = hops.slice(0, Math.max(comma, 0))
    }
    return client
  }
}

type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** `10.0.0.0/8`, `::1` … Undefined for a text that is neither an address nor a range. */
export function readAddressRange(text: string): AddressRange | undefined {
  const [, written = '', prefix] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const address = parse(written)
  if (address === undefined) return undefined
  const size = isIP(written) === 4 ? 32 : 128
  const bits = prefix === undefined ? size : Number(prefix)
  // 96 bits of an IPv4-mapped IPv6 address, which counts as IPv4.
  const mapping = size - (address.kind() === 'ipv4' ? 32 : 128)
  return bits < mapping || bits > size ? undefined : [address, bits - mapping]
}

function isTrusted(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = parse(address)
  return ranges.some(
    ([network, bits]) => parsed?.kind() === network.kind() && parsed.match([network, bits] as never),
  )
}

/**
 * An address without its zone, and an IPv4-mapped one (`::ffff:10.0.0.1`) as IPv4. Undefined for anything but a complete
 * address: ipaddr.js by itself takes `10` for 0.0.0.10, and `010.0.0.1` for 8.0.0.1.
 */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.process(text.replace(/%.*$/, ''))
}
