/** The headers of steps A to C, whose values no model may see (seed.md). */
const SECRET_HEADERS = ['authorization', 'x-authorization', 'x-authentication']

/** While tokens are switched off, each response has a nonce; older ones have been spent. */
const MOST_KEPT = 64

/** Shorter values would be found in ordinary words. */
const SHORTEST = 4

const PLACEHOLDER = '<hidden>'

export interface SecretKeeper {
  /** Remembers the secrets in the headers of a request or a response. */
  note(headers: Headers): void
  /** The value with every known secret replaced, whatever the server has put into its responses. */
  hide<T>(value: T): T
}

/** The client keeps its secrets to itself, but a server may repeat what was sent to it, in an error for example. */
export function createSecretKeeper(paraphrase: string | undefined): SecretKeeper {
  const seen = new Set<string>()
  const hideText = (text: string): string =>
    [paraphrase ?? '', ...seen]
      .filter((secret) => secret.length >= SHORTEST)
      .reduce((hidden, secret) => hidden.replaceAll(secret, PLACEHOLDER), text)

  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return hideText(value)
    if (Array.isArray(value)) return value.map(hide)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [hideText(key), hide(one)]))
  }

  return {
    note(headers) {
      for (const name of SECRET_HEADERS) {
        const secret = headers.get(name)?.replace(/^Basic /i, '')
        if (!secret) continue
        seen.delete(secret)
        seen.add(secret)
      }
      for (const oldest of seen) {
        if (seen.size <= MOST_KEPT) break
        seen.delete(oldest)
      }
    },
    hide: <T>(value: T) => hide(value) as T,
  }
}
