import type { WireRecord } from 'hydrant-client'

export type Sent = Pick<WireRecord, 'method' | 'url' | 'requestHeaders' | 'requestBody'>

/** Secrets are variables of the shell, under the names that the README uses; the record has none of them anyway. */
const SECRETS: Readonly<Record<string, string>> = {
  authorization: '-u "$USER_ID:$PARAPHRASE"',
  'x-authorization': '-H "X-Authorization: $TOKEN"',
  'x-authentication': '-H "X-Authentication: $NONCE"',
}

/** Linux takes no argument beyond 128 KiB. A longer body comes through a pipe, from a printf that is built in. */
const LONGEST_ARGUMENT = 100_000

/** The same request as a command line for a POSIX shell. `showHeaders`: those of the answer too. */
export function asCurl(
  { method, url, requestHeaders, requestBody }: Sent,
  { showHeaders = false } = {},
): string {
  const long = requestBody !== undefined && bytesOf(requestBody) > LONGEST_ARGUMENT
  const parts = [
    ['curl', ...(showHeaders ? ['-i'] : []), ...methodOf(method, requestBody), ...globbing(url)].join(' '),
    ...Object.entries(requestHeaders).map(([name, value]) => headerOf(name, value)),
    // Not -d: there a body that begins with @ would name a file.
    ...(requestBody === undefined ? [] : [long ? '--data-binary @-' : `--data-raw ${quote(requestBody)}`]),
    quote(url),
  ]
  const line = parts.join(' \\\n  ')
  return long ? `printf %s ${quote(requestBody)} | ${line}` : line
}

/** Steps A and B (seed.md, section 5) as lines that set what a command needs; none where it needs nothing. */
export function preparationsFor(
  { requestHeaders }: Pick<Sent, 'requestHeaders'>,
  base: string,
): readonly string[] {
  const sent = new Headers(requestHeaders)
  const ask = (header: string, ...more: readonly string[]) =>
    ['curl -s -o /dev/null', `-w '%header{${header}}'`, ...more, quote(`${base}/`)].join(' ')
  const nonce = `NONCE=$(${ask('x-authentication')})`
  const secrets = ['authorization', 'x-authentication'].map((name) => SECRETS[name] ?? '')
  const token = `TOKEN=$(${ask('x-authorization', ...secrets)})`
  if (sent.has('x-authorization')) return [nonce, token]
  return sent.has('x-authentication') ? [nonce] : []
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

function methodOf(method: string, body: string | undefined): readonly string[] {
  if (method === 'HEAD') return ['--head']
  return method === 'GET' && body === undefined ? [] : ['-X', quote(method)]
}

/** Otherwise curl takes `order[title]` for a range of addresses. */
const globbing = (url: string): readonly string[] => (/[[\]{}]/.test(url) ? ['--globoff'] : [])

function headerOf(name: string, value: string): string {
  // A header with nothing in it is sent with a semicolon; with a colon, curl leaves it out.
  return SECRETS[name.toLowerCase()] ?? `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`
}

/**
 * A text as one word of a POSIX shell, whatever it contains. Within single quotes nothing has a meaning, `!` included.
 * Control characters are spelled out: a terminal into which they are pasted would obey some of them, such as the one
 * that ends a paste and lets the rest count as typed.
 */
export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  const parts = text.split(CONTROLS).map((part, index) => (index % 2 ? spellOut(part) : inQuotes(part)))
  return parts.join('') || "''"
}

/** Line ends are harmless within quotes. Marks of writing direction, which hide what a line says, are spelled out too. */
const CONTROLS = /((?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+)/u

const inQuotes = (text: string): string => (text === '' ? '' : `'${text.replaceAll("'", "'\\''")}'`)

function spellOut(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return `"$(printf '${bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`
}
