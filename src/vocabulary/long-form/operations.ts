import type { Findings } from '../findings.ts'
import {
  type Class,
  OPERATIONS,
  type Operation,
  SINGLE_METHODS,
  USUAL_METHODS,
  type WriteMethod,
} from '../model.ts'
import type { DocumentClasses, MemberClass, StatedService } from './classes.ts'
import { type DocumentNode, lastPart } from './graph.ts'

/** The target of an operation: a collection (its class or a link to it), or a member (its class). */
type OperationOwner = 'collection' | 'member'

/** Types that show what an operation does: actions of schema.org, or classes of older drafts of Hydra. */
const CREATING = ['CreateAction', 'AddAction', 'InsertAction', 'CreateResourceOperation']
const CHANGING = ['UpdateAction', 'ReplaceAction', 'ReplaceResourceOperation']

/** Methods that every resource has. */
const UNREMARKABLE = ['HEAD', 'OPTIONS']

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function addOperation(
  { operations, methods }: StatedService,
  operation: Operation,
  method?: string,
): void {
  operations.add(operation)
  const writes = operation === 'create' || operation === 'replace'
  if (writes && (method === 'POST' || method === 'PUT')) methods[operation].add(method)
}

/** The type of an operation counts more than its method: older documents create by PUT and replace by POST. */
export function readOperations(
  memberClass: MemberClass,
  operations: readonly DocumentNode[],
  target: OperationOwner,
  { find, report }: { readonly find: DocumentClasses['find']; readonly report: Findings },
): void {
  const isOlder =
    target === 'member' && operations.some((one) => methodOf(one) === 'POST' && actionOf(one) !== 'create')
  const served = operations.filter((operation) => {
    const method = methodOf(operation)
    if (method === undefined) return report.ignored('OperationWithoutMethod')
    if (UNREMARKABLE.includes(method)) return false
    const meaning =
      target === 'collection'
        ? meaningOnCollection(operation, method)
        : meaningOnMember(operation, method, isOlder)
    if (meaning === undefined)
      return METHODS.includes(method)
        ? report.ignored('MethodOfCollection', { method })
        : report.ignored('UnknownMethod', { method, target, known: METHODS })
    addOperation(memberClass.served, meaning, method)
    return true
  })
  noteCompleted(served, report)
  const expected = operations.flatMap((operation) => operation.iris('hydra:expects'))
  for (const other of new Set(expected.map(find)))
    if (other !== undefined && other !== memberClass)
      report.note('ExpectsOtherClass', { className: memberClass.name, other: other.name })
}

/** Operations in the usual order; if an operation has several methods, the usual one comes first. */
export function sortOperations(
  { operations, methods }: StatedService,
  hasCollection: boolean,
): Pick<Class, 'operations' | 'methods'> {
  const usual = hasCollection ? USUAL_METHODS : SINGLE_METHODS
  const methodsFor = (operation: 'create' | 'replace') => {
    const isUsual = (method: WriteMethod) => Number(usual[operation].includes(method))
    const said = [...methods[operation]].toSorted((a, b) => isUsual(b) - isUsual(a))
    return said.length === 0 ? usual[operation] : said
  }
  return {
    operations: new Set(OPERATIONS.filter((operation) => operations.has(operation))),
    methods: { create: methodsFor('create'), replace: methodsFor('replace') },
  }
}

function meaningOnCollection(operation: DocumentNode, method: string): Operation | undefined {
  const action = actionOf(operation)
  if (method === 'GET') return 'list'
  if (method === 'POST') return action === 'change' ? 'replace' : 'create'
  if (method === 'PUT') return action === 'change' ? undefined : 'create'
  // An operation that expects a member is about that member: older servers list it with the collection.
  return method === 'DELETE' && operation.iris('hydra:expects').length > 0 ? 'delete' : undefined
}

function meaningOnMember(operation: DocumentNode, method: string, isOlder: boolean): Operation | undefined {
  const action = actionOf(operation)
  const creates = action === 'create' || (isOlder && method === 'PUT' && action === undefined)
  if (method === 'POST' || method === 'PUT') return creates ? 'create' : 'replace'
  return ON_MEMBER[method]
}

const ON_MEMBER: Readonly<Record<string, Operation>> = { GET: 'read', PATCH: 'update', DELETE: 'delete' }

export const addsByPost = (operation: DocumentNode): boolean =>
  methodOf(operation) === 'POST' && actionOf(operation) !== 'change'

const methodOf = (operation: DocumentNode): string | undefined =>
  operation.text('hydra:method')?.toUpperCase()

function actionOf(operation: DocumentNode): 'create' | 'change' | undefined {
  const types = [...operation.types].map(lastPart)
  if (types.some((type) => CREATING.includes(type))) return 'create'
  return types.some((type) => CHANGING.includes(type)) ? 'change' : undefined
}

function noteCompleted(operations: readonly DocumentNode[], report: Findings): void {
  const lacking = (has: (operation: DocumentNode) => boolean) => {
    const methods = operations.filter((operation) => !has(operation)).flatMap((one) => methodOf(one) ?? [])
    return [...new Set(methods)]
  }
  const untitled = lacking((one) => one.text('hydra:title', 'rdfs:label') !== undefined)
  if (untitled.length > 0) report.note('NoOperationTitle', { methods: untitled })
  const silent = lacking((one) => one.iris('hydra:returns').length > 0)
  if (silent.length > 0) report.note('NoReturns', { methods: silent })
}
