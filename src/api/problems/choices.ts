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

/** The path that was probably meant, or all that are possible. `fields` and `sort` take several with commas, others do not. */
export const nearestPath = (path: string, choice: NameChoice): string =>
  path.includes(',')
    ? 'send the parameter once for each path, without commas.'
    : nearestOr(possible(choice), path, choice.known)
