export interface ClassGraph {
  readonly boxes: readonly GraphBox[]
  readonly links: readonly GraphLink[]
}

export interface GraphBox {
  readonly id: string
  readonly title: string
  readonly href: string
  readonly lines: readonly BoxRow[]
}

/** A row of a box: a property and its type, or a link and how many values it can have. */
export interface BoxRow {
  readonly name: string
  readonly type: string
  readonly link?: GraphLink
}

export interface GraphLink {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly many: boolean
  readonly required: boolean
  /** The value is embedded in the member, and has no address of its own. */
  readonly embedded: boolean
}

export interface PictureLayout {
  readonly width: number
  readonly height: number
  readonly boxes: readonly PlacedBox[]
  readonly arrows: readonly Arrow[]
}

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

export interface PlacedBox extends Rectangle {
  readonly box: GraphBox
  /** Its properties, then its links. The arrow of a link begins at its row. */
  readonly rows: readonly BoxRow[]
}

export type Point = Pick<Rectangle, 'x' | 'y'>

export interface Arrow {
  readonly link: GraphLink
  /**
   * From a row of one box to the head of another. Two points at the same height are joined by a straight line, two that
   * are above each other by a curve to the right, any others by a curve that begins and ends horizontally.
   */
  readonly points: readonly Point[]
}

export const cardinality = ({ many, required }: Pick<GraphLink, 'many' | 'required'>): string =>
  many ? '(many)' : required ? '(one)' : '(optional)'

/** In units of the picture, which are pixels at full size. */
export const SIZES = {
  margin: 12,
  /** The head of a box, each row, and the padding around them. */
  head: 36,
  row: 18,
  padding: 12,
  narrowest: 132,
  /** The gap between two boxes, and around a line that passes by. */
  gap: 28,
  passing: 16,
  /** The space beside each box, where lines are straight, for arrow heads and for links of the box to itself. */
  side: 32,
  /** How far a link of a box to itself bends out. */
  bulge: 12,
  bend: 56,
  widest: 880,
} as const

/** Width of a letter in the fonts of the picture: 12 px monospaced for rows, 15 px for titles. */
const MONO = 7.25
const TITLE = 8.8

const LONGEST = { title: 26, name: 24, type: 20 } as const

export const shown = (text: string, most: keyof typeof LONGEST): string => {
  const letters = [...text]
  return letters.length > LONGEST[most] ? `${letters.slice(0, LONGEST[most] - 1).join('')}…` : text
}

/** East Asian letters and symbols are twice as wide as others. */
const letters = (text: string): number =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) >= 0x11_00 ? 2 : 1), 0)

export function widthOfBox(title: string, rows: readonly BoxRow[]): number {
  const texts = rows.map(({ name, type }) => letters(`${shown(name, 'name')}  ${shown(type, 'type')}`) * MONO)
  const widest = Math.max(letters(shown(title, 'title')) * TITLE, ...texts)
  return Math.ceil(Math.max(SIZES.narrowest, widest + 2 * SIZES.padding))
}

export const heightOfBox = (rows: number): number =>
  SIZES.head + (rows ? rows * SIZES.row + SIZES.padding : 0)

/** The middle of a row, from the top of its box. */
export const heightOfRow = (row: number): number => SIZES.head + SIZES.padding / 2 + (row + 0.5) * SIZES.row
