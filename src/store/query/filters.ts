import type { KeyShape } from '../../vocabulary/keys.ts'

/** The words that are searched for, as a filter among others. */
export interface Words {
  readonly test: 'words'
  readonly words: readonly string[]
}

/** Which column of the keys a property has, and its shape. The caller has both from the model of this store. */
export function columnOf(
  { shapes }: { readonly shapes: readonly KeyShape[] },
  property: string,
): { index: number; shape: KeyShape } {
  const index = shapes.findIndex((shape) => shape.property === property)
  const shape = shapes[index]
  if (shape === undefined) throw new Error(`The store was not opened with a key for ${property}.`)
  return { index, shape }
}
