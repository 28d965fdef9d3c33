import type {
  ClassDescription,
  CollectionDescription,
  OperationDescription,
  PropertyDescription,
} from 'hydrant-client'

/**
 * The operations that carry out each action of a member. The class of an operation says what it does: some APIs replace
 * with POST. Where there is no PATCH, the client updates with a replacement.
 */
const ACTIONS = {
  read: /^GET/,
  update: /^PATCH|^P(?:UT|OST) .*(?:Replace|Update)(?:Action|Resource)/,
  replace: /^P(?:UT|OST) .*(?:Replace|Update)(?:Action|Resource)/,
  delete: /^DELETE/,
} as const

const findOffered = (
  operations: readonly OperationDescription[],
  action: RegExp,
): OperationDescription | undefined =>
  operations.find(({ method, types }) => action.test(`${method} ${types.join(' ')}`))

export const findCreation = (operations: readonly OperationDescription[]): OperationDescription | undefined =>
  findOffered(operations, /^P(?:UT|OST) .*(?:Add|Create)(?:Action|Resource)/) ??
  // Some documents do not say what a POST does.
  operations.find((one) => one.method === 'POST' && findOffered([one], ACTIONS.replace) === undefined)

/** A property that can be written and never read: that of accounts. */
export const isParaphrase = ({ name, readable }: PropertyDescription): boolean =>
  name === 'paraphrase' && !readable

export const holdsParaphrase = (one: ClassDescription | undefined): boolean =>
  one?.properties.some(isParaphrase) ?? false

/** Of read, update, replace and delete, what these operations of a member or of its class can do. */
export const actionsIn = (operations: readonly OperationDescription[]): string[] =>
  Object.entries(ACTIONS).flatMap(([name, action]) => (findOffered(operations, action) ? [name] : []))

/** Of what this user may do, what the bridge offers: with `--read-only`, nothing that changes something. */
export const offered = (rights: readonly string[], isReadOnly: boolean): string[] =>
  rights.filter((right) => !isReadOnly || right === 'read')

/** What this user may do with a collection and its members, as the documentation says it to this user. */
export function rightsIn(
  collection: Pick<CollectionDescription, 'operations'> & {
    readonly memberClass: ClassDescription | undefined
  },
): string[] {
  const ofMembers = actionsIn(collection.memberClass?.operations ?? [])
  const reads = ofMembers.includes('read') || findOffered(collection.operations, /^GET/) !== undefined
  // A new account has a paraphrase, which no conversation may contain.
  const creates =
    findCreation(collection.operations) !== undefined && !holdsParaphrase(collection.memberClass)
  return [
    ...(reads ? ['read'] : []),
    ...(creates ? ['create'] : []),
    ...ofMembers.filter((action) => action !== 'read'),
  ]
}
