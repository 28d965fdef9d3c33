import type { Arrow, Rectangle } from './geometry.ts'
import type { GraphLink } from './graph.ts'
import { SIZES, widthOfLabel } from './sizes.ts'

const OUT = 10
const BEFORE_LABEL = 6

/** The height of the n-th of so many slots at the side of a box. */
export const slotAt = ({ y, height }: Rectangle, slot: number, slots: number): number =>
  y + height / 2 + (slot - (slots - 1) / 2) * SIZES.slot

export const roomForLoops = (loops: readonly GraphLink[]): number =>
  loops.length
    ? OUT + SIZES.slot / 2 + BEFORE_LABEL + Math.max(...loops.map(widthOfLabel)) + SIZES.padding
    : 0

/** Links of a class to itself: out at the right of its box, and back in below. Each takes two slots. */
export const drawLoops = (
  loops: readonly GraphLink[],
  box: Rectangle,
  firstSlot: number,
  slots: number,
): Arrow[] =>
  loops.map((link, index) => {
    const out = slotAt(box, firstSlot + 2 * index, slots)
    const back = slotAt(box, firstSlot + 2 * index + 1, slots)
    const edge = box.x + box.width
    return {
      link,
      points: [
        { x: edge, y: out },
        { x: edge + OUT, y: out },
        { x: edge + OUT, y: back },
        { x: edge, y: back },
      ],
      label: {
        x: edge + OUT + SIZES.slot / 2 + BEFORE_LABEL,
        y: (out + back - SIZES.labelHeight) / 2,
        width: widthOfLabel(link),
        height: SIZES.labelHeight,
        side: 'left',
      },
    }
  })
