/** The limits of one response: its whole time, and its bytes after decompression. */
export interface FetchLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** `fetch` for servers that are not trusted: responses are limited in time and size. */
export const createBoundedFetch =
  ({ timeoutMs, maxBytes }: FetchLimits): typeof fetch =>
  async (input, init) => {
    const signals = [AbortSignal.timeout(timeoutMs), init?.signal ?? []].flat()
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
    if (response.body === null) return response
    let bytes = 0
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > maxBytes) controller.error(new Error(`more than ${maxBytes} bytes`))
        else controller.enqueue(chunk)
      },
    })
    const bounded = new Response(response.body.pipeThrough(counting), response)
    // The address after redirects: a new response has none.
    return Object.defineProperty(bounded, 'url', { value: response.url })
  }
