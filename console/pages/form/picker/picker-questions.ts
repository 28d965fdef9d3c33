import type { ClassDescription, Query } from '../../../../src/client/index.ts'
import { capitalised, namingProperty } from '../../../shared/names/naming.ts'
import type { Variable } from '../../../shared/search-variables.ts'

export type Question = Query

/** How a collection can be asked for what was typed, as far as its template goes. */
export interface Questions {
  /** A part of the name, which the server may have to look for in every member. */
  readonly byPart: Question | undefined
  readonly byStart: Question | undefined
  /** Whole words, anywhere. */
  readonly byWords: Question | undefined
}

export function questionsFor(
  variables: readonly Variable[],
  cls: ClassDescription | undefined,
  text: string,
  most: number,
): Questions {
  const naming = namingProperty(cls)
  const limit = variables.find(({ role }) => role === 'limit')
  const filter = (operator: string) =>
    variables.find(
      (one) => one.role === 'filter' && one.operator === operator && naming && one.property?.name === naming,
    )
  const ask = (variable: Variable | undefined, value: string): Question | undefined =>
    variable && { [variable.name]: value, ...(limit && { [limit.name]: most }) }
  return {
    byPart: ask(filter('contains'), text),
    // How a name begins regards case (docs/requests.md), and people do not: most names begin with a capital.
    byStart: ask(filter('startsWith'), capitalised(text)),
    byWords: ask(
      variables.find(({ role }) => role === 'text'),
      text,
    ),
  }
}
