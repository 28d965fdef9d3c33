const FIRST_MS = 1_000
const LONGEST_MS = 5 * 60_000

/** How long a change waits after this many attempts: 1 s, 2 s, 4 s … and then 5 min (library.md). */
export const retryMs = (attempts: number): number => {
  const doubled = FIRST_MS * 2 ** Math.max(0, attempts - 1)
  return doubled < LONGEST_MS ? doubled : LONGEST_MS
}

/** Longer texts are cut: they are stored for each member that waits. */
const MAX_LENGTH = 500

/** The text of whatever was thrown, as a database can store it. */
export function errorText(thrown: unknown): string {
  const text = asText(thrown instanceof Error ? thrown.message || thrown.name : thrown).toWellFormed()
  // PostgreSQL has no text with a zero in it.
  const whole = text.replaceAll('\0', '\ufffd')
  return whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : whole
}

/** An object without a prototype, or with a `toString` that throws, has no text. */
function asText(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'something that has no text was thrown'
  }
}
