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
  if (encoding === 'utf-16') return yield* fromUtf16(chunks)
  const decoder = new TextDecoder('windows-1252')
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

/** Not by `TextDecoder`: for half of a surrogate pair it returns U+FFFD, which nobody could tell from a character of the file. */
async function* fromUtf16(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { seen, all } = await peek(chunks, (length) => length >= 2)
  const isBig = isBigEndian(Buffer.concat(seen))
  let rest = Buffer.alloc(0)
  for await (const chunk of all) {
    const bytes = Buffer.concat([rest, chunk])
    const even = bytes.length - (bytes.length % 2)
    const units = Buffer.from(bytes.subarray(0, even))
    if (isBig) units.swap16()
    const text = units.toString('utf16le')
    const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? even - 2 : even
    rest = bytes.subarray(end)
    yield encode(text.slice(0, end / 2))
  }
  if (rest.length > 0) yield NOT_UTF8
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/** A byte that no text in UTF-8 has: those who read the text find it, and know the line. */
const NOT_UTF8 = Buffer.from([0xff])

function encode(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  const parts = text.split(/\p{Surrogate}/u).flatMap((part) => [NOT_UTF8, Buffer.from(part)])
  return Buffer.concat(parts.slice(1))
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
