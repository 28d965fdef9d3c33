import type { ClassDescription } from '../../../src/client/index.ts'
import { capitalised, inWords, namingProperty } from '../../shared/names/naming.ts'
import type { Variable } from '../../shared/search-variables.ts'
import { type Pair, readQuery, withCondition, withoutPair } from './query.ts'

/** Free text finds whole words: who meant a part of one is offered to look for it in the names. */
export function partInstead(
  pairs: readonly Pair[],
  searched: Pair,
  variables: readonly Variable[],
  cls: ClassDescription | undefined,
): { readonly label: string; readonly query: string } | undefined {
  const naming = namingProperty(cls)
  const contains = variables.find(
    (one) => one.role === 'filter' && one.operator === 'contains' && one.property?.name === naming,
  )
  if (!contains || naming === undefined) return undefined
  const left = readQuery(withoutPair(pairs, searched), variables)
  return {
    label: `${capitalised(inWords(naming))} contains “${searched.value}”`,
    query: withCondition(
      left,
      { name: contains.name, value: searched.value },
      { instead: undefined, repeatable: false },
    ),
  }
}
