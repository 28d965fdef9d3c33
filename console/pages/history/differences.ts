import type { ClassDescription, MemberEntry } from 'hydrant-client'
import { labelOf, titleOf } from '../../shared/names.ts'
import { entriesOf } from '../../shared/property-entries.ts'
import { isSame, type ValuesByName, valueIn } from '../../shared/values.ts'

/** The properties that differ between two states of a member, in the order of the documentation. */
export function differencesOf(older: ValuesByName, newer: ValuesByName, cls: ClassDescription | undefined) {
  const known = new Map([...entriesOf(newer, cls), ...entriesOf(older, cls)].map((one) => [one.name, one]))
  return [...known.values()].flatMap(({ name, label, property }) => {
    const [was, is] = [valueIn(older, name), valueIn(newer, name)]
    return isSame(was, is) ? [] : { name, label, property, was, is }
  })
}

/** `Changed: Title, Pages` */
export function changeInWords(
  { type, changed }: Pick<MemberEntry, 'type' | 'changed'>,
  cls: ClassDescription | undefined,
): string {
  if (type === 'delete') return 'Deleted'
  // Only the first entry has none before it.
  if (type === 'create') return changed ? 'Created again' : 'Created'
  if (!changed) return 'Changed'
  const labels = changed.map((name) => {
    const property = cls?.properties.find((one) => one.name === name)
    return property ? labelOf(property) : titleOf(name)
  })
  return labels.length > 0 ? `Changed: ${labels.join(', ')}` : 'Changed nothing that you can see'
}
