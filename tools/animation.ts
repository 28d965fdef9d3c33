// Animated PNG (APNG) from screenshots. Each frame stores only the rectangle that has changed, and all frames share one
// palette, so that half a minute of the console is as large as a few pictures of it.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** Three bytes (red, green, blue) for each pixel, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Buffer
}

export interface Frame {
  readonly picture: Picture
  /** How long it is shown. */
  readonly ms: number
}

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const MAX_COLOURS = 256

/** A screenshot: 8 bits, with or without an alpha channel, which is ignored. */
export function readPng(file: Buffer): Picture {
  const chunks = readChunks(file)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13)
  const [width, height, depth, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]]
  if (depth !== 8 || (kind !== 2 && kind !== 6)) throw new Error(`PNG of depth ${depth} and kind ${kind}`)
  const channels = kind === 6 ? 4 : 3
  const data = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data)),
  )
  const rows = unfilter(data, width * channels, channels)
  const pixels = Buffer.alloc(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++)
    rows.copy(pixels, pixel * 3, pixel * channels, pixel * channels + 3)
  return { width, height, pixels }
}

function readChunks(file: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = []
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.push({
      type: file.toString('latin1', at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + length),
    })
    at += 12 + length
  }
  return chunks
}

/** What a byte is expected to be, by the filter of its row (PNG specification, 9.2); the file has the difference. */
const GUESSES: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const guess = left + up - corner
    const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
    if (toLeft <= toUp && toLeft <= toCorner) return left
    return toUp <= toCorner ? up : corner
  },
]

function unfilter(data: Buffer, stride: number, step: number): Buffer {
  const rows = data.length / (stride + 1)
  const out = Buffer.alloc(rows * stride)
  for (let row = 0; row < rows; row++) {
    const guess = GUESSES[data[row * (stride + 1)] ?? 0]
    if (guess === undefined) throw new Error('A row has a filter that PNG does not have.')
    for (let index = 0; index < stride; index++) {
      const at = row * stride + index
      const left = index < step ? 0 : (out[at - step] as number)
      const up = row === 0 ? 0 : (out[at - stride] as number)
      const corner = row === 0 || index < step ? 0 : (out[at - stride - step] as number)
      out[at] = (data[row * (stride + 1) + 1 + index] as number) + guess(left, up, corner)
    }
  }
  return out
}

/** One picture on a part of another. */
export function paste(onto: Picture, picture: Picture, left: number, top: number): void {
  for (let row = 0; row < picture.height; row++)
    picture.pixels.copy(
      onto.pixels,
      ((top + row) * onto.width + left) * 3,
      row * picture.width * 3,
      (row + 1) * picture.width * 3,
    )
}

/** All frames have the same size. The animation repeats for ever. */
export function writeAnimation(frames: readonly Frame[]): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('An animation has at least one frame.')
  const { width, height } = first.picture
  const palette = choosePalette(frames)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  let sequence = 0
  const body = frames.flatMap(({ picture, ms }, index) => {
    const before = frames[index - 1]?.picture
    const area = before === undefined ? { x: 0, y: 0, width, height } : changedArea(before, picture)
    const control = chunk('fcTL', controlOf(sequence++, area, ms))
    const data = deflateSync(indexesIn(picture, area, palette), { level: 9 })
    if (index === 0) return [control, chunk('IDAT', data)]
    return [control, chunk('fdAT', Buffer.concat([uint32(sequence++), data]))]
  })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('acTL', Buffer.concat([uint32(frames.length), uint32(0)])),
    chunk('PLTE', Buffer.concat(palette.colours.map((colour) => uint32(colour).subarray(1)))),
    ...body,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

function controlOf(sequence: number, { x, y, width, height }: Rectangle, ms: number): Buffer {
  const delay = Buffer.alloc(6)
  delay.writeUInt16BE(ms, 0)
  delay.writeUInt16BE(1_000, 2)
  return Buffer.concat([...[sequence, width, height, x, y].map(uint32), delay])
}

const colourAt = (pixels: Buffer, at: number): number => pixels.readUIntBE(at * 3, 3)

/** One pixel, if both are the same: a frame cannot be empty. */
function changedArea(before: Picture, after: Picture): Rectangle {
  let [left, top, right, bottom] = [after.width, after.height, -1, -1]
  for (let at = 0; at < after.width * after.height; at++) {
    if (colourAt(before.pixels, at) === colourAt(after.pixels, at)) continue
    const [x, y] = [at % after.width, Math.floor(at / after.width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = y
  }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

interface Palette {
  readonly colours: readonly number[]
  indexOf(colour: number): number
}

/** The most frequent colours. The others, at the edges of letters, take the nearest one. */
function choosePalette(frames: readonly Frame[]): Palette {
  const counts = new Map<number, number>()
  for (const { picture } of frames)
    for (let at = 0; at < picture.width * picture.height; at++) {
      const colour = colourAt(picture.pixels, at)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  const colours = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_COLOURS)
    .map(([colour]) => colour)
  const known = new Map(colours.map((colour, index) => [colour, index]))
  return {
    colours,
    indexOf(colour) {
      const found = known.get(colour) ?? nearest(colours, colour)
      known.set(colour, found)
      return found
    },
  }
}

function nearest(colours: readonly number[], wanted: number): number {
  const parts = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255]
  const distance = (colour: number) =>
    parts(colour).reduce((sum, part, index) => sum + (part - (parts(wanted)[index] as number)) ** 2, 0)
  const distances = colours.map(distance)
  return distances.indexOf(Math.min(...distances))
}

/** Each row begins with a byte for its filter, 0 for none. */
function indexesIn(
  { pixels, width: stride }: Picture,
  { x, y, width, height }: Rectangle,
  { indexOf }: Palette,
): Buffer {
  const out = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      out[row * (width + 1) + 1 + column] = indexOf(colourAt(pixels, (y + row) * stride + x + column))
  return out
}
