// The arguments of curl, read as curl reads them: its token must not go anywhere but to the API.
import { commandProblem } from '../problems.ts'

/** The options of the curl that is installed, and whether each takes a value, by their long names. */
export interface CurlOptions {
  readonly byName: ReadonlyMap<string, boolean>
  /** The long names of the letters. */
  readonly byLetter: ReadonlyMap<string, string>
}

/** Reads the output of `curl --help all`: ` -o, --output <file>   Write to file`, ` -x, --proxy [protocol://]host`. */
export function readCurlHelp(help: string): CurlOptions {
  const byName = new Map<string, boolean>()
  const byLetter = new Map<string, string>()
  for (const [, letter, name = '', value] of help.matchAll(/^ +(?:-(\S), +)?--(\S+)( +[<[])?/gm)) {
    byName.set(name, value !== undefined)
    if (letter !== undefined) byLetter.set(letter, name)
  }
  return { byName, byLetter }
}

const elsewhere = (name: string) => [name, 'elsewhere'] as const

/** Options with which curl would send the token elsewhere, or which are ours. */
const REFUSED: ReadonlyMap<string, 'redirect' | 'elsewhere' | 'credentials'> = new Map([
  ['location', 'redirect'],
  ['location-trusted', 'redirect'],
  ['follow', 'redirect'],
  // Headers are those of one of several operations.
  ['next', 'elsewhere'],
  ['config', 'elsewhere'],
  ...['proxy', 'preproxy', 'proxy1.0', 'noproxy'].map(elsewhere),
  ...['socks4', 'socks4a', 'socks5', 'socks5-hostname'].map(elsewhere),
  ...['connect-to', 'resolve', 'unix-socket', 'abstract-unix-socket', 'doh-url', 'dns-servers'].map(
    elsewhere,
  ),
  ...['request-target', 'no-globoff'].map(elsewhere),
  ['user', 'credentials'],
])

/** The arguments with full addresses, and how many addresses there are. */
export interface CurlCall {
  readonly args: readonly string[]
  readonly urls: number
}

/** Throws a problem for an address outside of `base`, and for options by which curl would send the token elsewhere. */
export function readCurlArguments(given: readonly string[], options: CurlOptions, base: string): CurlCall {
  const args: string[] = []
  let urls = 0
  let isOption = true
  const rest = [...given]

  function addUrl(url: string): void {
    urls++
    args.push(addressOf(url, base))
  }

  function addOption(option: string): void {
    args.push(option)
    const { name, hasValue } = option.startsWith('--')
      ? findLong(option.slice(2), options)
      : findLetters(option, options)
    const value = hasValue ? rest.shift() : undefined
    if (value === undefined) return
    if (name === 'url') addUrl(value)
    else args.push(value)
  }

  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (isOption && arg === '--') {
      isOption = false
      args.push(arg)
    } else if (isOption && arg.startsWith('-')) addOption(arg)
    else addUrl(arg)
  }
  return { args, urls }
}

interface FoundOption {
  readonly name: string
  /** Whether the next argument is its value. */
  readonly hasValue: boolean
}

function findLong(name: string, { byName }: CurlOptions): FoundOption {
  const hasValue = byName.get(name)
  if (hasValue !== undefined) return { name: permitted(name, `--${name}`), hasValue }
  // A switch that is turned off.
  if (byName.get(name.replace(/^no-/, '')) === false)
    return { name: permitted(name, `--${name}`), hasValue: false }
  // curl might read it as the beginning of another one.
  throw commandProblem('UnknownCurlOption', { option: `--${name.slice(0, 100)}` })
}

/** Several letters in one argument, of which the last may have a value: `-sSo file`, `-ofile`. */
function findLetters(option: string, { byName, byLetter }: CurlOptions): FoundOption {
  for (let at = 1; at < option.length; at++) {
    const letter = option.charAt(at)
    const name = byLetter.get(letter)
    if (name === undefined) throw commandProblem('UnknownCurlOption', { option: `-${letter}` })
    permitted(name, `-${letter}`)
    if (byName.get(name)) return { name, hasValue: at === option.length - 1 }
  }
  if (option === '-') throw commandProblem('UnknownCurlOption', { option })
  return { name: '', hasValue: false }
}

function permitted(name: string, option: string): string {
  const reason = REFUSED.get(name)
  if (reason !== undefined) throw commandProblem('RefusedCurlOption', { option, reason })
  return name
}

/** A segment of a path that leads out of the base (RFC 3986 §5.2.4), also in the forms that some servers read as one. */
const PARENT = /^[^?#]*[/\\](?:\.|%2e){2}(?:[/\\?#]|$)/i

/** Below the base, as it is written: what curl would make of another spelling is not known. */
function addressOf(url: string, base: string): string {
  const address = url.startsWith('/') ? base + url : url
  const below = address.startsWith(base) ? address.slice(base.length) : undefined
  if (below !== undefined && /^(?:[/?#]|$)/.test(below) && !PARENT.test(below)) return address
  throw commandProblem('OutsideApi', { base })
}
