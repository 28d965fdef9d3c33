import { type Class, hasFilters, type Property } from '../../vocabulary/index.ts'
import type { UnsortableReason } from '../problems/query.ts'
import type { Path } from './path.ts'

interface Unsortable {
  /** A path. */
  readonly property: string
  readonly reason: UnsortableReason
}

/** Undefined for a path that members can be sorted by (asking.md, Paths: "along single-valued steps only"). */
export function unsortable({ property, steps, to }: Path): Unsortable | undefined {
  const { name } = property
  const step = steps.find(({ many }) => many)
  if (step !== undefined) return { property: step.text, reason: 'many' }
  if (property.many) return { property: name, reason: 'many' }
  if (property.range.kind !== 'link') return undefined
  return sortedLabel(to).length === 0 ? { property: name, reason: 'noLabel' } : undefined
}

/** Members whose labels begin with this many equal values hardly need an order. */
const MAX_LABEL = 4

/** The properties of a label that members can be sorted by. */
export function sortedLabel(cls: Class | undefined): Property[] {
  const { label, properties } = cls ?? { label: [], properties: [] }
  const all = label.flatMap((name) => properties.find((one) => one.name === name && isSorted(one)) ?? [])
  return all.slice(0, MAX_LABEL)
}

const isSorted = (property: Property): boolean =>
  property.range.kind === 'datatype' && !property.many && hasFilters(property)
