import { didYouMean, nearest } from '../../text.ts'

/** Names to choose from. Sentences list only some of them: there may be hundreds. */
export interface NameChoice {
  readonly known: readonly string[]
  readonly listed: readonly string[]
}

export const possible = ({ known, listed }: NameChoice, where = ''): string => {
  const rest = known.length - listed.length
  const more = rest > 0 ? ` and ${rest} more${where}` : ''
  return `possible: ${listed.join(', ')}${more}.`
}

/** The name that was probably meant, or `otherwise`. */
export function nearestOr(otherwise: string, name: string, known: readonly string[]): string {
  const found = nearest(name, known)
  return found === undefined ? otherwise : didYouMean(found, name)
}
