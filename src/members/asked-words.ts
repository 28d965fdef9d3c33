import type { AskedWord, Filter, Selection } from './selection.ts'

/** Prefixes of words that this host's API file searches as plain words, and the newest one does not (`wordStart`). */
export type StartsOf = (className: string) => readonly string[]

/** The selection with the words in all places where members may have them (keys/kept.ts). */
export function withKeptWords<Asked extends Pick<Selection, 'words' | 'filters'>>(
  className: string,
  asked: Asked,
  startsOf: StartsOf,
): Asked {
  const words = inAllPlaces(asked.words, startsOf(className))
  const filters = inFilters(className, asked.filters, startsOf)
  return words === asked.words && filters === asked.filters ? asked : { ...asked, words, filters }
}

/** The first of several words is the plain one (`readWords`). */
function inAllPlaces(words: readonly AskedWord[], starts: readonly string[]): readonly AskedWord[] {
  if (words.length === 0 || starts.length === 0) return words
  return words.map((word) => {
    const all = typeof word === 'string' ? [word] : word
    return [...all, ...starts.map((start) => start + all[0])]
  })
}

function inFilters(className: string, filters: readonly Filter[], startsOf: StartsOf): readonly Filter[] {
  const changed = filters.map((filter): Filter => {
    if ('property' in filter || filter.test === 'owner') return filter
    if (filter.test === 'words') {
      const words = inAllPlaces(filter.words, startsOf(className))
      return words === filter.words ? filter : { ...filter, words }
    }
    const isStep = filter.test !== 'any' && filter.step.kind !== 'embedded'
    const at = isStep ? (filter.step as { readonly className: string }).className : className
    const within = inFilters(at, filter.filters, startsOf)
    return within === filter.filters ? filter : { ...filter, filters: within }
  })
  return changed.every((one, index) => one === filters[index]) ? filters : changed
}
