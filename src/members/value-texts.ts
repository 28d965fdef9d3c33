// Finds the values in a stored text without parsing it.

/** The names of the wanted properties, in the order of the class. Those of a single embedded value are below its name. */
export type WantedValues = ReadonlyMap<string, WantedValues | number>

/** Called with the offsets of the JSON of a value, and with the number that the tree gives it. */
export type TakeValue = (wanted: number, from: number, to: number) => void

/** Calls `take` in the order of the text. */
export type ScanValues = (body: string, take: TakeValue) => void

export function createScanValues(wanted: WantedValues): ScanValues {
  const entries = entriesOf(wanted)
  return (body, take) => {
    scanEntries(body, 0, entries, take)
  }
}

/** `key`: the text before the value. */
interface WantedEntry {
  readonly key: string
  readonly to: readonly WantedEntry[] | number
}

const entriesOf = (wanted: WantedValues): WantedEntry[] =>
  [...wanted].map(([name, to]) => ({
    key: `,${JSON.stringify(name)}:`,
    to: typeof to === 'number' ? to : entriesOf(to),
  }))

const [COMMA, QUOTE, BACKSLASH] = [0x2c, 0x22, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Reads entries, each of which begins with a comma; returns the offset after them. */
function scanEntries(text: string, start: number, entries: readonly WantedEntry[], take: TakeValue): number {
  let at = start
  let next = 0
  while (text.charCodeAt(at) === COMMA) {
    const index = findEntry(text, at, entries, next)
    const entry = entries[index]
    if (entry === undefined) {
      at = endOfEntry(text, at + 1)
      continue
    }
    next = index + 1
    const { key, to } = entry
    const from = at + key.length
    // An embedded value begins with its type.
    if (typeof to !== 'number' && text.charCodeAt(from) === OPEN_BRACE)
      at = scanEntries(text, endOfEntry(text, from + 1), to, take) + 1
    else {
      at = endOfValue(text, from)
      if (typeof to === 'number') take(to, from, at)
    }
  }
  return at
}

/**
 * A stored text has its values in the order of the class. During a migration, a host with an earlier API file may read
 * one that has other values, in another order.
 */
function findEntry(text: string, at: number, entries: readonly WantedEntry[], next: number): number {
  for (let index = next; index < entries.length; index++)
    if (text.startsWith((entries[index] as WantedEntry).key, at)) return index
  for (let index = 0; index < next; index++)
    if (text.startsWith((entries[index] as WantedEntry).key, at)) return index
  return -1
}

/** The offset after a key, a colon and a value. */
const endOfEntry = (text: string, key: number): number => endOfValue(text, endOfString(text, key) + 1)

function endOfValue(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return endOfString(text, start)
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      // A number or a boolean ends before the end of what it is in.
      if (depth === 0) return at
      depth--
      if (depth === 0) return at + 1
    } else if (code === COMMA && depth === 0) return at
  }
  return text.length
}

/** The offset after the closing quote: the next one that is not escaped. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}
