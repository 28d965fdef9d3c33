import type { Class } from '../vocabulary/index.ts'
import { key, type Names } from './text.ts'

export const hasReverseLinks = (cls: Class): boolean => cls.reverseLinks.length > 0

/** A step of a path: to the class of a link, of an embedded value, or of the members that link to this one. */
interface TypedStep {
  readonly name: string
  readonly className: string
  readonly many: boolean
}

export const stepsOf = (cls: Class): TypedStep[] => [
  ...cls.properties.flatMap(({ name, range, many }): TypedStep[] => {
    if (range.kind === 'datatype') return []
    return [{ name, many, className: range.kind === 'link' ? range.className : range.cls.name }]
  }),
  ...cls.reverseLinks.map(({ name, className }) => ({ name, className, many: true })),
]

/** Whether a variable asks if there are any values: a reverse link has no other filter. */
export const asksForStep = (variable: string, cls: Class): boolean =>
  stepsOf(cls).some(({ name }) => variable === `${name}.exists`)

/** The steps in a query type, from which the client's types find out what a path leads to. */
export function stepsLine(cls: Class, names: Names): string {
  const steps = stepsOf(cls).map(({ name, className, many }) => {
    return `${key(name)}: ${names.of(className).query}${many ? '[]' : ''}`
  })
  return `  readonly __steps?: { ${steps.join('; ')} }`.replace('{  }', 'Record<never, never>')
}

/** The names of all classes that a path can end at. */
export function namesOnPaths(classes: readonly Class[]): ReadonlySet<string> {
  return new Set(classes.flatMap((cls) => stepsOf(cls).map(({ className }) => className)))
}

/** `order[home.town]` has the names of `home.town`. */
const namesIn = (variable: string): string[] => variable.replace(/^order\[(.*)\]$/, '$1').split('.')

/** The step that a variable begins with, if the variable is a path: the client's types find it by its steps. */
export function firstStep(variable: string, cls: Class, classes: readonly Class[]): TypedStep | undefined {
  const [first, second] = namesIn(variable)
  const step = stepsOf(cls).find((one) => one.name === first)
  const target = step && classes.find(({ name }) => name === step.className)
  const names = target === undefined ? [] : [...target.properties, ...stepsOf(target)]
  return names.some(({ name }) => name === second) ? step : undefined
}

/**
 * The variables of a class that has no collection to be asked, such as that of embedded values: those of the paths that
 * lead to it from other classes, without the step to it.
 */
export function variablesOnPaths<Variable extends { readonly name: string }>(
  className: string,
  classes: readonly Class[],
  variables: ReadonlyMap<string, readonly Variable[]>,
  seen: readonly string[] = [],
): Variable[] {
  const before = [...seen, className]
  return classes.flatMap((cls) => {
    if (before.includes(cls.name) || !stepsOf(cls).some((step) => step.className === className)) return []
    const own = variables.get(cls.name) ?? variablesOnPaths(cls.name, classes, variables, before)
    return own.flatMap((variable) => {
      const step = firstStep(variable.name, cls, classes)
      if (step?.className !== className) return []
      return { ...variable, name: variable.name.replace(`${step.name}.`, '') }
    })
  })
}
