/** Longer than any server needs for one of these answers. */
const PATIENCE_MS = 30_000
/** More than any documentation has. */
const MOST_BYTES = 32 * 1_024 * 1_024

/** Who is asked is a server that nobody vouches for: its answers end, and are not larger than what can be kept. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const signals = [AbortSignal.timeout(PATIENCE_MS), init?.signal ?? []].flat()
  const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
  if (response.body === null) return response
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > MOST_BYTES) controller.error(new Error(`more than ${MOST_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
}
