import { percentDecoded } from '../text.ts'

/** RFC 6570 §2: an expression is in braces, and may begin with an operator. */
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g

/** RFC 6570 §2.3 and §2.4: a name of letters, digits, `_`, percent-encoded characters and dots, and a modifier. */
const VARIABLE = /^((?:\w|%[\da-f]{2})(?:\.?(?:\w|%[\da-f]{2}))*)(?:\*|:[1-9]\d{0,3})?$/i

/** The names of the variables of a template, decoded; undefined if it is not one. */
export function variablesOf(template: string): string[] | undefined {
  if (/[{}]/.test(template.replaceAll(EXPRESSION, ''))) return undefined
  const names: string[] = []
  for (const [, , specs = ''] of template.matchAll(EXPRESSION))
    for (const spec of specs.split(',')) {
      const name = VARIABLE.exec(spec)?.[1]
      if (name === undefined) return undefined
      names.push(decodedName(name))
    }
  return names
}

/** Servers write names encoded or as they are: `order%5Btitle%5D`, `order[title]`. */
export const decodedName = (name: string): string => percentDecoded(name) ?? name

/** Fills one variable of a query, and leaves all other variables out; undefined if the template has no such variable. */
export function fillVariable(template: string, variable: string, value: string): string | undefined {
  const wanted = decodedName(variable)
  let isFilled = false
  const filled = template.replaceAll(EXPRESSION, (_, operator: string, specs: string) => {
    const isThere = specs.split(',').some((spec) => decodedName(spec.split(/[*:]/, 1)[0] ?? '') === wanted)
    if (!isThere || isFilled || (operator !== '?' && operator !== '&')) return ''
    isFilled = true
    return `${operator}${encodeURIComponent(wanted)}=${encodeURIComponent(value)}`
  })
  return isFilled ? filled : undefined
}
