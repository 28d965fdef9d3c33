import { peek } from './peek.ts'

/** `latin1` is Windows-1252, which has some more characters, as browsers read it (Encoding Standard §4.2). */
export type TextEncoding = 'utf-8' | 'latin1' | 'utf-16'

/** The same text in UTF-8, chunk by chunk. */
export async function* toUtf8(
  chunks: AsyncIterable<Buffer>,
  encoding: TextEncoding = 'utf-8',
): AsyncGenerator<Buffer> {
  // What is not UTF-8 is found by those who read it, who know the line.
  if (encoding === 'utf-8') return yield* chunks
  const { seen, all } = await peek(chunks, (length) => length >= 2)
  const utf16 = isBigEndian(Buffer.concat(seen)) ? 'utf-16be' : 'utf-16le'
  const decoder = new TextDecoder(encoding === 'latin1' ? 'windows-1252' : utf16, { ignoreBOM: true })
  for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

/** The byte order mark U+FEFF, in either order. */
const isBigEndian = ([first, second]: Buffer): boolean => first === 0xfe && second === 0xff
const isLittleEndian = ([first, second]: Buffer): boolean => first === 0xff && second === 0xfe

/** As much as is looked at to find out the encoding. */
const SAMPLE_BYTES = 4 * 1024 * 1024

/** The data, and the encoding that its beginning seems to have. */
export async function guessEncoding(
  chunks: AsyncIterable<Buffer>,
): Promise<{ readonly encoding: TextEncoding; readonly chunks: AsyncIterable<Buffer> }> {
  const beginning = await peek(chunks, (length) => length >= SAMPLE_BYTES)
  const sample = Buffer.concat(beginning.seen)
  if (isBigEndian(sample) || isLittleEndian(sample)) return { encoding: 'utf-16', chunks: beginning.all }
  const isCut = sample.length >= SAMPLE_BYTES
  return { encoding: isUtf8(sample, isCut) ? 'utf-8' : 'latin1', chunks: beginning.all }
}

/** `isCut`: the last character may be incomplete. */
function isUtf8(bytes: Buffer, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return true
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return false
  }
}
