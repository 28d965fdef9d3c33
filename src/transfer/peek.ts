/** The first chunks, and all of them. */
interface PeekedChunks {
  readonly seen: readonly Buffer[]
  readonly all: AsyncIterable<Buffer>
}

/** Looks at the beginning of data. `isEnough`: called with the number of bytes so far, and the last chunk. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  isEnough: (length: number, chunk: Buffer) => boolean,
): Promise<PeekedChunks> {
  const rest = chunks[Symbol.asyncIterator]()
  const seen: Buffer[] = []
  for (let length = 0; ; ) {
    const { value, done } = await rest.next()
    if (done) break
    seen.push(value)
    length += value.length
    if (isEnough(length, value)) break
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* seen
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { seen, all: all() }
}
