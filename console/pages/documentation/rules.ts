import type { PropertyDescription } from '../../../src/client/index.ts'

/** What a value has to be like, one thing at a time. */
export interface Rule {
  readonly text: string
  /** What is to be read letter by letter. */
  readonly codes?: readonly string[]
}

export function rulesOf({ constraints }: Pick<PropertyDescription, 'constraints'>): readonly Rule[] {
  const { minLength, maxLength, minimum, maximum, pattern, values, default: given } = constraints
  const length = between(minLength, maxLength)
  const size = between(minimum, maximum)
  return [
    ...(length ? [{ text: `${length} ${(maxLength ?? minLength) === 1 ? 'character' : 'characters'}` }] : []),
    ...(size ? [{ text: size }] : []),
    ...(pattern === undefined ? [] : [{ text: 'matches', codes: [pattern] }]),
    ...(values === undefined ? [] : [{ text: 'one of', codes: values.map(written) }]),
    ...(given === undefined ? [] : [{ text: 'without a value it is', codes: [written(given)] }]),
  ]
}

function between(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${least}` : `${least} to ${most}`
  if (least !== undefined) return `at least ${least}`
  return most === undefined ? undefined : `at most ${most}`
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
