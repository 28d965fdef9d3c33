import { type Class, type CustomOperation, isAccount, type Model } from '../model.ts'
import { withoutUnlisted } from '../reverse-links.ts'
import { isTied, namesSent, permittedOperations, rightsOf, rightTo, withOperations } from './access.ts'
import { withPermittedProperties, withQueriedProperties } from './property-rights.ts'

/** If users may see no member of a class, it has no addresses either. */
const UNADDRESSED = { collection: undefined, reverseLinks: [] }

/**
 * The part of the model that a set of roles may see. A class without any allowed operation is in it only as the range of
 * another class's property, and then without properties (access.md, On the wire).
 */
export function permittedModel(model: Model, userRoles: readonly string[] | undefined): Model {
  const { access } = model
  if (access === undefined) return model
  const shownClasses = model.classes.map((cls) => {
    const rights = rightsOf(access, cls.name, userRoles)
    const visible = withPermittedProperties(cls, userRoles)
    const { history, ...rest } = withOperations(visible, (operation) => rights[operation] !== 'none')
    const hasHistory = history !== undefined && rights.history !== 'none' && rights.read !== 'none'
    const shown = {
      ...rest,
      ...(hasHistory && { history }),
      ...(isAccount(cls) && isTied(rights.list) && { isApart: true as const }),
    }
    if (cls.customOperations === undefined) return shown
    const isShown = ({ grantees }: CustomOperation) =>
      rights.read !== 'none' && rightTo(grantees, userRoles) !== 'none'
    const customOperations = cls.customOperations.map((one) =>
      isShown(one) ? one : { ...one, isRefused: true as const },
    )
    return { ...shown, customOperations }
  })
  const permitted = withoutUnlisted(shownClasses)
  const isUsable = (cls: Class) => cls.operations.size > 0 || permittedOperations(cls).length > 0
  // Classes that permitted custom operations expect or return are always described.
  const sent = namesSent(permitted)
  const linked = new Set<string>()
  const embedded = new Set<string>()
  const described = new Set(permitted.filter((cls) => isUsable(cls) || sent.has(cls.name)))
  // A class that is added while the set is iterated is visited too.
  for (const { properties } of described)
    for (const { range } of properties) {
      if (range.kind === 'link') linked.add(range.className)
      if (range.kind !== 'embedded') continue
      embedded.add(range.cls.name)
      described.add(range.cls)
    }
  const classes = permitted.flatMap((cls): Class[] => {
    if (isUsable(cls) || embedded.has(cls.name)) return [cls]
    if (sent.has(cls.name)) return [{ ...cls, ...UNADDRESSED }]
    return linked.has(cls.name) ? [{ ...cls, ...UNADDRESSED, properties: [] }] : []
  })
  return { ...model, classes }
}

/**
 * The part of a permitted model that filters, orders, free text and summaries may ask for. A property that the users
 * see in some members only is not in it: a query would reveal its values in others.
 */
export function queriedModel(permitted: Model, userRoles: readonly string[] | undefined): Model {
  if (permitted.access === undefined) return permitted
  return { ...permitted, classes: permitted.classes.map((cls) => withQueriedProperties(cls, userRoles)) }
}
