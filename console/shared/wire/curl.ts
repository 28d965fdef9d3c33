import type { RecordedRequest } from '../connection/index.ts'

/** Secrets become shell variables, named as in the README: the record does not contain them. */
const SECRETS: Readonly<Record<string, string>> = {
  authorization: '-u "$USER_ID:$PARAPHRASE"',
  'x-authorization': '-H "X-Authorization: $TOKEN"',
  'x-authentication': '-H "X-Authentication: $NONCE"',
}

/** Linux limits an argument to 128 KiB. A longer body is piped in, from the shell's own printf. */
const LONGEST_ARGUMENT = 100_000

/** The request as a command for a POSIX shell. `showHeaders`: prints the response headers as well. */
export function asCurl(
  { method, url, requestHeaders, requestBody }: RecordedRequest,
  { showHeaders = false } = {},
): string {
  const long = requestBody !== undefined && bytesOf(requestBody) > LONGEST_ARGUMENT
  const parts = [
    ['curl', ...(showHeaders ? ['-i'] : []), ...methodOf(method, requestBody), ...globbing(url)].join(' '),
    ...Object.entries(requestHeaders).map(([name, value]) => headerOf(name, value)),
    // Not -d, which takes a body that begins with @ for the name of a file.
    ...(requestBody === undefined ? [] : [long ? '--data-binary @-' : `--data-raw ${quote(requestBody)}`]),
    quote(url),
  ]
  const line = parts.join(' \\\n  ')
  return long ? `printf %s ${quote(requestBody)} | ${line}` : line
}

/** Commands for steps A and B (seed.md, section 5), which set the variables that a request needs. */
export function preparationsFor(
  { requestHeaders }: Pick<RecordedRequest, 'requestHeaders'>,
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

/** Otherwise curl takes `order[title]` for a URL range. */
const globbing = (url: string): readonly string[] => (/[[\]{}]/.test(url) ? ['--globoff'] : [])

function headerOf(name: string, value: string): string {
  // curl sends an empty header only if it is written with a semicolon.
  return SECRETS[name.toLowerCase()] ?? `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`
}

/**
 * Quotes a text for a POSIX shell. Nothing has a special meaning within single quotes, not even `!`. Control characters
 * are escaped, since a terminal that they are pasted into obeys some of them, such as the one that ends a paste, after
 * which the rest counts as typed.
 */
export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  const parts = text.split(CONTROLS).map((part, index) => (index % 2 ? escaped(part) : inQuotes(part)))
  return parts.join('') || "''"
}

/** Line ends are harmless within quotes. Marks of the writing direction are escaped, since they can disguise a line. */
const CONTROLS = /((?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+)/u

const inQuotes = (text: string): string => (text === '' ? '' : `'${text.replaceAll("'", "'\\''")}'`)

function escaped(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return `"$(printf '${bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`
}
