import type { Filter, Selection, Step } from '../../members/index.ts'

/** A class that a path leads to, along a link or from its other side. */
export interface StepClass {
  readonly kind: 'link' | 'reverse'
  readonly className: string
}

/** The classes that the paths of filters and orders lead to. */
export function stepClasses({ filters, order }: Pick<Selection, 'filters' | 'order'>): StepClass[] {
  const steps: Step[] = [...filters.flatMap(stepsOf), ...order.flatMap(({ through = [] }) => through)]
  const classes = new Map<string, StepClass>()
  for (const step of steps) {
    if (step.kind === 'embedded') continue
    const { kind, className } = step
    classes.set(`${kind} ${className}`, { kind, className })
  }
  return [...classes.values()]
}

function stepsOf(filter: Filter): Step[] {
  if (!('filters' in filter)) return []
  const within = filter.filters.flatMap(stepsOf)
  return 'step' in filter ? [filter.step, ...within] : within
}

/** Finds the filters for the members that the user may read, of a class that a path leads to. */
export type FiltersBeyond = (to: StepClass) => readonly Filter[]

/**
 * Restricts the paths of a selection to what the user may read: a member that the user may not read "has no value here"
 * (asking.md), neither for a filter nor for an order.
 */
export function restrict(selection: Selection, filtersBeyond: FiltersBeyond): Selection {
  if (stepClasses(selection).every((one) => filtersBeyond(one).length === 0)) return selection
  const limits = (step: Step): readonly Filter[] => (step.kind === 'embedded' ? [] : filtersBeyond(step))
  const restricted = (filter: Filter): Filter => {
    if (!('filters' in filter)) return filter
    const filters = filter.filters.map(restricted)
    return 'step' in filter
      ? { ...filter, filters: [...filters, ...limits(filter.step)] }
      : { ...filter, filters }
  }
  const order = selection.order.map((one) => {
    const through = one.through?.map((step) => ({ ...step, filters: limits(step) }))
    return through === undefined ? one : { ...one, through }
  })
  return { ...selection, filters: selection.filters.map(restricted), order }
}
