export interface ClassGraph {
  readonly boxes: readonly GraphBox[]
  readonly links: readonly GraphLink[]
}

export interface GraphBox {
  readonly id: string
  readonly title: string
  readonly lines: readonly { readonly name: string; readonly type: string }[]
  readonly more: number
}

export interface GraphLink {
  readonly from: string
  readonly to: string
  readonly name: string
  readonly many: boolean
  readonly required: boolean
  /** The value is within the member, and has no address of its own. */
  readonly embedded: boolean
}

export const cardinality = ({ many, required }: Pick<GraphLink, 'many' | 'required'>): string =>
  many ? '(many)' : required ? '(one)' : '(optional)'

/** In the picture's own units, one of which is a pixel as long as it is not scaled. */
export const SIZES = {
  margin: 12,
  /** Of a box: its head, each line, and what is left free around them. */
  head: 36,
  line: 18,
  padding: 12,
  narrowest: 132,
  /** Between two boxes, and around a link that passes by. */
  gap: 28,
  passing: 16,
  /** From link to link at the side of a box: a label stands between them. */
  slot: 24,
  labelHeight: 16,
  /** Between a line and what is written above it. */
  labelLift: 3,
  /** Straight before it bends, so that the head of an arrow does. */
  stub: 20,
  bend: 40,
  widest: 880,
} as const

/** Half the size of a letter in the fonts of the picture: 12 px for lines and labels, of even width; 15 px for titles. */
const MONO = 7.25
const TITLE = 8.8

const LONGEST = { title: 26, name: 22, type: 20, label: 24 } as const

export const shown = (text: string, most: keyof typeof LONGEST): string => {
  const letters = [...text]
  return letters.length > LONGEST[most] ? `${letters.slice(0, LONGEST[most] - 1).join('')}…` : text
}

/** Letters of East Asia and symbols are as wide as two others. */
const letters = (text: string): number =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) >= 0x11_00 ? 2 : 1), 0)

export function widthOfBox({ title, lines }: GraphBox): number {
  const texts = lines.map(
    ({ name, type }) => letters(`${shown(name, 'name')}  ${shown(type, 'type')}`) * MONO,
  )
  const widest = Math.max(letters(shown(title, 'title')) * TITLE, ...texts)
  return Math.ceil(Math.max(SIZES.narrowest, widest + 2 * SIZES.padding))
}

export function heightOfBox({ lines, more }: GraphBox, slots: number): number {
  const count = lines.length + (more ? 1 : 0)
  const body = count ? count * SIZES.line + SIZES.padding : 0
  return Math.max(SIZES.head + body, slots * SIZES.slot + SIZES.labelHeight)
}

export const widthOfLabel = (link: GraphLink): number =>
  Math.ceil(letters(`${shown(link.name, 'label')} ${cardinality(link)}`) * MONO)

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Arrow {
  readonly link: GraphLink
  /**
   * From the box that has the property to the one that it leads to. Two points at the same height are joined by a
   * straight line, two below each other by half a circle to the right, any others by a curve that begins and ends level.
   */
  readonly points: readonly Point[]
  readonly label: Label
}

interface Label extends Rectangle {
  readonly side: 'left' | 'right'
}
