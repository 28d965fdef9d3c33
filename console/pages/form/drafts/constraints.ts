import type { PropertyDescription } from '../../../../src/client/index.ts'
import { isObject } from './kinds.ts'

/** A value of a shape may be written with its type (JSON-LD 1.1 §9.5). */
export const unwrapped = (value: unknown): unknown =>
  isObject(value) && '@value' in value ? value['@value'] : value

/** The only values that there can be, as text; undefined where there can be others. */
export function choicesOf({ constraints }: PropertyDescription): readonly string[] | undefined {
  return constraints.values?.map((value) => String(unwrapped(value)))
}

/** A default that the documentation cannot tell (SHACL has no "now", and one value at most) may fill these in. */
export const mayHaveDefault = ({ range = '', many }: PropertyDescription): boolean =>
  (many && !/#langString$/.test(range)) || /#(date|dateTime)$/.test(range)
