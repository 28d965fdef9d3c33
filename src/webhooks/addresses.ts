import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Where an address leads: to the Internet, into a private network, to this machine, or to none of these: link-local
 * (which has the metadata of cloud machines), multicast, unspecified and reserved addresses.
 */
export type AddressReach = 'public' | 'private' | 'loopback' | 'unusable'

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** The ranges of ipaddr.js that are not unusable. A range that it learns in future is unusable until it is named here. */
const REACHES: Readonly<Record<string, AddressReach>> = {
  unicast: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  loopback: 'loopback',
}

/** Where an address leads. IPv6 addresses that stand for IPv4 addresses are judged by these. */
export function reachOf(text: string): AddressReach {
  const address = parse(text)
  const embedded = address === undefined ? [] : embeddedIn(address)
  if (address === undefined || embedded === undefined) return 'unusable'
  const range = address.range()
  if (embedded.length === 0) return REACHES[range] ?? 'unusable'
  const reaches = embedded.map((one) => REACHES[one.range()] ?? 'unusable')
  const reach = WORST_FIRST.find((one) => reaches.includes(one)) ?? 'unusable'
  // A gateway translates the other forms, and this machine is not the one that it would reach.
  return reach === 'loopback' && range !== 'ipv4Mapped' ? 'unusable' : reach
}

const WORST_FIRST: readonly AddressReach[] = ['unusable', 'loopback', 'private', 'public']

/** Only complete addresses: ipaddr.js by itself takes `10` for 0.0.0.10. A zone (`fe80::1%eth0`) does not matter here. */
function parse(text: string): IpAddress | undefined {
  const [bare = ''] = text.split('%', 1)
  if (isIPv4(bare)) return ipaddr.IPv4.parse(bare)
  // Written in hexadecimal first: ipaddr.js takes ::127.0.0.1 for ::ffff:127.0.0.1.
  return isIPv6(bare) ? ipaddr.IPv6.parse(new URL(`http://[${bare}]`).hostname.slice(1, -1)) : undefined
}

/** The IPv4 addresses that packets to an IPv6 address may reach; undefined if the address cannot be used. */
function embeddedIn(address: IpAddress): readonly ipaddr.IPv4[] | undefined {
  if (!('parts' in address)) return []
  const { parts } = address
  /** `at`: the index of the first of the two parts; `mask`: what they are combined with. */
  const at = (index: number, mask = 0) => {
    const bytes = [parts[index] ?? 0, parts[index + 1] ?? 0].flatMap((part) => [part >> 8, part & 0xff])
    return new ipaddr.IPv4(bytes.map((byte) => byte ^ mask))
  }
  switch (address.range()) {
    // RFC 4291 §2.5.5.2.
    case 'ipv4Mapped':
      return [at(6)]
    // NAT64, RFC 6052 §2.1. The prefix for local use (RFC 8215) says nothing of where its addresses lead.
    case 'rfc6052':
      return parts[2] === 0 ? [at(6)] : undefined
    // RFC 3056 §2.
    case '6to4':
      return [at(1)]
    // RFC 4380 §4: the server, and the client with all bits inverted.
    case 'teredo':
      return [at(2), at(6, 0xff)]
    // RFC 4291 §2.4 has given out 2000::/3 alone; below it are IPv4-compatible addresses, such as ::127.0.0.1.
    case 'unicast':
      return (parts[0] ?? 0) >> 13 === 1 ? [] : undefined
    default:
      return []
  }
}
