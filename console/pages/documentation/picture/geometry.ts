import type { GraphLink } from './graph.ts'

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

export interface Label extends Rectangle {
  /** At which end of its room the text is. */
  readonly side: 'left' | 'right'
}
