import type { FileProblem } from '../file-problems.ts'
import { ACCOUNT, type Class, hasCollection } from '../model.ts'

/** What leads from a member of a class to accounts, in one or two steps (people.md, Rules that follow a link). */
export interface AccountStep {
  readonly property: string
  /** The class that it leads to. */
  readonly className: string
}

/** The steps of a path; undefined where it does not lead to accounts. */
export function accountSteps(
  classes: readonly Class[],
  { properties }: Pick<Class, 'properties'>,
  path: string,
): readonly AccountStep[] | undefined {
  const [name, ...rest] = path.split('.')
  const range = properties.find((one) => one.name === name)?.range
  if (name === undefined || range?.kind !== 'link' || rest.length > 1) return undefined
  const step = { property: name, className: range.className }
  if (rest.length === 0) return range.className === ACCOUNT ? [step] : undefined
  const target = classes.find((one) => one.name === range.className && hasCollection(one))
  const further = target && accountSteps(classes, target, rest.join('.'))
  return further && [step, ...further]
}

/** The paths from a class to accounts. */
export const listAccountPaths = (
  classes: readonly Class[],
  { properties }: Pick<Class, 'properties'>,
): readonly string[] =>
  properties.flatMap(({ name, range }) => {
    if (range.kind !== 'link') return []
    if (range.className === ACCOUNT) return [name]
    const target = classes.find((one) => one.name === range.className && hasCollection(one))
    return (target?.properties ?? [])
      .filter((one) => one.range.kind === 'link' && one.range.className === ACCOUNT)
      .map((one) => `${name}.${one.name}`)
  })

/** Whether a name in a rule for a class is a path to accounts, or why not. */
export function readAccountPath(
  classes: readonly Class[],
  cls: Pick<Class, 'name' | 'properties'>,
  path: string,
): boolean | FileProblem {
  const [first] = path.split('.')
  if (!cls.properties.some(({ name }) => name === first)) return false
  const steps = accountSteps(classes, cls, path)
  if (steps !== undefined) {
    // Lists are answered from the indexes of these links.
    const unfiltered = steps.find(({ property }, index) => {
      const owner = index === 0 ? cls : classes.find((one) => one.name === steps[0]?.className)
      return owner?.properties.some((one) => one.name === property && !one.filterable)
    })
    if (unfiltered === undefined) return true
    return { code: 'PathNotFilterable', values: { path, name: unfiltered.property } }
  }
  const known = listAccountPaths(classes, cls)
  return { code: 'PathWithoutAccounts', values: { path, className: cls.name, known } }
}
