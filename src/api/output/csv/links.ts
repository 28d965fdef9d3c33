import { LD_JSON } from '../../../http/index.ts'
import type { ViewLinks } from '../view.ts'

/** IANA's registry of link relations; RFC 8288 §3.3. */
const RELATIONS = { first: 'first', previous: 'prev', next: 'next', last: 'last' } as const

/** Other links are left out beyond this: proxies and clients limit the headers of a response. */
const MAX_OTHER_LINKS = 2_048

/** `next` is always among the links; `leftOut` are the names of what the JSON-LD page has, and this one does not. */
export function linkHeader({ self, links }: ViewLinks, leftOut: readonly string[]): readonly string[] {
  const all = links.map(([name, address]) => ({ name, text: `<${address}>; rel="${RELATIONS[name]}"` }))
  const others = all.filter(({ name }) => name !== 'next').reduce((sum, { text }) => sum + text.length, 0)
  const shown = others > MAX_OTHER_LINKS ? all.filter(({ name }) => name === 'next') : all
  const texts = shown.map(({ text }) => text)
  if (leftOut.length > 0) {
    // An empty reference is the address of the request.
    const address = self.length > MAX_OTHER_LINKS ? '' : self
    texts.push(
      `<${address}>; rel="alternate"; type="${LD_JSON}"; ${attribute('left-out', leftOut.join(' '))}`,
    )
  }
  return texts.length === 0 ? [] : ['Link', texts.join(', ')]
}

/** RFC 8288 §3.4.2: an attribute that is not ASCII has an asterisk, and the form of RFC 8187 §3.2. */
const attribute = (name: string, value: string): string =>
  /^[ -~]*$/.test(value) ? `${name}="${value}"` : `${name}*=UTF-8''${encodeURIComponent(value)}`
