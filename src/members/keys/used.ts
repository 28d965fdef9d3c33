import type { Filter, Order, Selection, Step } from '../selection.ts'
import type { SummarySelection, ValuePath } from '../summary.ts'

/** A key of a class; without a property, the words of its members. */
export interface UsedKey {
  readonly className: string
  readonly property?: string
}

/** The keys that a selection or a summary needs, of its class and of those that its paths lead to. */
export function usedKeys(className: string, asked: Selection | SummarySelection): UsedKey[] {
  const found: UsedKey[] = asked.words.length > 0 ? [{ className }] : []
  addFilters(found, className, asked.filters)
  if ('order' in asked) for (const order of asked.order) addOrder(found, className, order)
  else for (const path of [...asked.groups, ...asked.figures]) addPath(found, className, path)
  return found
}

function addFilters(found: UsedKey[], className: string, filters: readonly Filter[]): void {
  for (const filter of filters) {
    if ('property' in filter) found.push({ className, property: filter.property })
    else if (filter.test === 'words') found.push({ className })
    else if (filter.test === 'any') addFilters(found, className, filter.filters)
    else if (filter.test !== 'owner')
      addFilters(found, addStep(found, className, filter.step), filter.filters)
  }
}

/** Returns the class that the step leads to. */
function addStep(found: UsedKey[], className: string, step: Step): string {
  if (step.kind === 'embedded') return className
  found.push({ className: step.kind === 'link' ? className : step.className, property: step.property })
  return step.className
}

function addOrder(found: UsedKey[], className: string, { property, through = [] }: Order): void {
  addPath(found, className, { property, steps: through })
}

function addPath(found: UsedKey[], className: string, { property, steps }: ValuePath): void {
  let at = className
  for (const step of steps) {
    at = addStep(found, at, step)
    addFilters(found, at, step.filters)
  }
  found.push({ className: at, property })
}
