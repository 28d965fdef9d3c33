import { fingerprintOf } from '../finish-classes.ts'
import { type Class, leadsToAccounts, type Property } from '../model.ts'
import { isTied, type Right, rightTo } from './access.ts'

/** What users with a set of roles may do with a property (people.md, Properties for some). */
export interface PropertyRight {
  readonly view: Right
  readonly write: Right
}

/** Whether a rule of its own says who may see or write the property. */
export const isRuled = ({ view, write, range }: Property): boolean =>
  view !== undefined || write !== undefined || leadsToAccounts(range)

/** Without rules of its own, a property is for all users who may see the class. */
export function rightToProperty(
  { view, write, range }: Property,
  userRoles: readonly string[] | undefined,
): PropertyRight {
  // people.md, Anyone: without signing in, links to accounts do not exist, nor do embedded values that have some.
  if (userRoles === undefined && leadsToAccounts(range)) return { view: 'none', write: 'none' }
  return {
    view: view === undefined ? 'any' : rightTo(view, userRoles),
    write: write === undefined ? 'any' : rightTo(write, userRoles),
  }
}

/** The class as users with these roles may see it; the same object if every property is for them. */
export function withPermittedProperties(cls: Class, userRoles: readonly string[] | undefined): Class {
  if (!cls.properties.some(isRuled)) return cls
  return withProperties(
    cls,
    cls.properties.flatMap((property) => permitted(property, userRoles) ?? []),
  )
}

function permitted(property: Property, userRoles: readonly string[] | undefined): Property | undefined {
  if (!isRuled(property)) return property
  const { view, write } = rightToProperty(property, userRoles)
  if (view === 'none') return isWrittenBlindly(property, write) ? writeOnly(property) : undefined
  const shown = write === 'none' && property.writable ? { ...property, writable: false } : property
  // Not in every member, so that it is not required, and no filter leads back along it.
  return isTied(view) ? { ...shown, required: false, reverse: undefined } : shown
}

const isWrittenBlindly = ({ write }: Property, right: Right): boolean =>
  write !== undefined && right !== 'none'

const writeOnly = (property: Property): Property => ({ ...property, isWriteOnly: true, reverse: undefined })

/** The class without the properties whose values could be found out by filters, orders and summaries. */
export const withQueriedProperties = (cls: Class, userRoles: readonly string[] | undefined): Class =>
  withProperties(
    cls,
    cls.properties.filter((property) => rightToProperty(property, userRoles).view === 'any'),
  )

/** The class with these of its properties, as if it had never had others. */
function withProperties(cls: Class, properties: readonly Property[]): Class {
  const isSame =
    properties.length === cls.properties.length &&
    properties.every((property, index) => property === cls.properties[index])
  if (isSame) return cls
  const names = new Set(properties.map(({ name }) => name))
  const isThere = (path: string) => names.has(path.split('.', 1)[0] ?? '')
  const uniqueTogether = cls.uniqueTogether.filter((some) => some.every(isThere))
  const within = cls.within.filter(({ name }) => isThere(name))
  return {
    ...cls,
    properties,
    within,
    uniqueTogether,
    label: cls.label.filter(isThere),
    // The fingerprint of the whole class would reveal whether a guess at the rest of it is right.
    fingerprint: fingerprintOf({ name: cls.name, properties, uniqueTogether }, within),
  }
}
