import { keep, tabMemory } from '../state.ts'

type AddressReading = { readonly address: string } | { readonly problem: string }

const EXAMPLE = 'https://example.org/api'

export function readAddress(typed: string): AddressReading {
  const text = typed.trim()
  if (text === '') return { problem: `Enter the address of an API, such as ${EXAMPLE}.` }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme && scheme !== 'http' && scheme !== 'https') {
    return { problem: `The address must begin with http or https, not ${scheme}.` }
  }
  const url = URL.parse(scheme ? text : withScheme(text))
  if (!url?.hostname) return { problem: `This is not an address. Enter one such as ${EXAMPLE}.` }
  if (url.username || url.password) {
    return { problem: 'Leave out the part before the @: you can sign in afterwards.' }
  }
  // A server may serve `/api` but not `/api/`, or the other way round.
  return { address: url.pathname === '/' ? url.origin : url.origin + url.pathname }
}

function withScheme(text: string): string {
  const url = URL.parse(`http://${text}`)
  return url && isThisMachine(url.hostname) ? url.href : `https://${text}`
}

/** Unencrypted http to another machine can be intercepted. */
export function isReadable(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && !isThisMachine(url.hostname)
}

/** Browsers block mixed content: a page that was loaded over https cannot use http, except on this machine. */
export const isMixed = (protocol: string, address: string): boolean =>
  protocol === 'https:' && isReadable(address)

export const MIXED =
  'This page was loaded over https, so the browser blocks requests to an API over plain http.'

/** RFC 6761 §6.3, RFC 1122 §3.2.1.3. `URL` normalises every spelling of an IP address. */
function isThisMachine(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return `.${name}`.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(name) || name === '[::1]'
}

/** The API that was chosen in this tab, kept across reloads. It is not in the address, so that no link can choose it. */
const KEY = 'hydrant-api'

export function chosenApi(served: string, memory = tabMemory()): string {
  for (const text of [memory?.getItem(KEY) ?? '', served]) {
    const reading = readAddress(text)
    if ('address' in reading) return reading.address
  }
  return ''
}

export const rememberApi = (address: string, served: string, memory = tabMemory()): void =>
  keep(memory, KEY, address === served ? undefined : address)
