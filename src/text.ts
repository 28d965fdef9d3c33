import { closest, distance } from 'fastest-levenshtein'

/** Longer names get no suggestion: the time to compare two names is the product of their lengths. */
export const LONGEST_NEAR = 64

/** The name that was probably meant; undefined if none is similar enough to help. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || name.length > LONGEST_NEAR) return undefined
  const lower = name.normalize('NFC').toLowerCase()
  const found = closest(
    lower,
    candidates.map((candidate) => candidate.toLowerCase()),
  )
  const near = distance(lower, found) <= Math.max(1, Math.floor(Math.max(lower.length, found.length) / 2.5))
  // Two swapped letters count as two edits, which in a short name are too many.
  const isMeant = near
    ? (candidate: string) => candidate === found
    : (candidate: string) => lettersOf(candidate) === lettersOf(lower)
  return candidates.find((candidate) => isMeant(candidate.toLowerCase()))
}

const lettersOf = (name: string): string => (name.length > LONGEST_NEAR ? name : [...name].sort().join(''))

/** `did you mean "x"?`, or a list of all candidates, with `end` after it. */
export function suggestion(name: string, candidates: readonly string[], end = ''): string {
  const found = nearest(name, candidates)
  return found === undefined ? `possible: ${candidates.join(', ')}${end}` : didYouMean(found, name)
}

/** Names that differ only in Unicode normalization look the same, so the form is named. */
export const didYouMean = (found: string, name: string): string =>
  `did you mean "${found}"${found !== name && found === name.normalize('NFC') ? ", in Unicode's form NFC" : ''}?`

/** Quotes and shortens a text for a message. */
export const show = (text: string, most = 100): string =>
  JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text)

/** RFC 3986 §6.2.2.1: percent-encodings are equal regardless of case, and have capital letters. */
export const withUsualEncodings = (iri: string): string =>
  iri.includes('%') ? iri.replaceAll(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase()) : iri

/** Undefined for a text that is not percent-encoded UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the name, with a number from 2 on if it is taken, and marks the result as taken. */
export function claimName(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  taken.add(free)
  return free
}

/** Quoted for the shell, if needed. */
export const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** A number for people: 1,000,000. `toLocaleString` would take 25 ms at its first call, during the start of a server. */
export const amount = (number: number): string =>
  number < 1_000 ? String(number) : number.toLocaleString('en')

export const count = (number: number, thing: string): string =>
  `${amount(number)} ${thing}${number === 1 ? '' : 's'}`

/** For people: "a", "a and b", "a, b and c". */
export const inSentence = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
