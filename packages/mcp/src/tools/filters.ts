/** The parameters of a search template, as few words as possible: a template of ten properties has a hundred. */
export interface SearchFilters {
  /** Names of properties by the operators that they take: "=, ne, gt". */
  readonly byOperators: Readonly<Record<string, readonly string[]>>
  readonly sortable: readonly string[]
  /** All other parameters. */
  readonly parameters: readonly string[]
}

const OPERATOR = /^(.+)\.(ne|gt|gte|lt|lte|startsWith|contains|exists)$/
const ORDER = /^order\[(.+)]$/

export function readFilters(template: string): SearchFilters {
  const names = namesIn(template)
  const operators = new Map<string, string[]>()
  const sortable: string[] = []
  const known = new Set(names)
  for (const name of names) {
    // A path that can only be compared for equality has no other parameter than its order.
    if (known.has(`order[${name}]`) && !operators.has(name)) operators.set(name, ['='])
    const [, filtered, operator] = OPERATOR.exec(name) ?? []
    const [, sorted] = ORDER.exec(name) ?? []
    if (filtered !== undefined && operator !== undefined)
      operators.set(filtered, [...(operators.get(filtered) ?? startOf(filtered, known)), operator])
    if (sorted !== undefined) sortable.push(sorted)
  }
  const byOperators: Record<string, string[]> = {}
  for (const [name, list] of operators) {
    const key = list.join(', ')
    byOperators[key] = [...(byOperators[key] ?? []), name]
  }
  const isOther = (name: string) => !OPERATOR.test(name) && !ORDER.test(name) && !operators.has(name)
  return { byOperators, sortable, parameters: names.filter(isOther) }
}

const startOf = (property: string, known: ReadonlySet<string>): string[] => (known.has(property) ? ['='] : [])

/** RFC 6570 §2.3: the names of variables may be percent-encoded. */
function namesIn(template: string): string[] {
  return [...template.matchAll(/\{([^{}]+)\}/g)].flatMap(([, list = '']) =>
    // An expression begins with its operator, and a name may end in a modifier.
    list.split(',').map((written) => {
      const [name = ''] = written.replace(/^[+#./;?&]/, '').split(/[:*]/, 1)
      try {
        return decodeURIComponent(name)
      } catch {
        return name
      }
    }),
  )
}
