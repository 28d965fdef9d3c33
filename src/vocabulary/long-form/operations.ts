import { nearest } from '../../text.ts'
import type { Report } from '../findings.ts'
import {
  OPERATIONS,
  type Operation,
  SINGLE_METHODS,
  USUAL_METHODS,
  type WriteMethod,
  type WriteMethods,
} from '../model.ts'
import { HYDRA, RDFS } from '../namespaces.ts'
import type { Node } from './graph.ts'
import { lastPart, quoted } from './names.ts'

export const operationsOf = (node: Node): Node[] => node.nodes(`${HYDRA}supportedOperation`)

/** Where an operation stands: on a collection (its class or a link to it), or on a member (its class). */
export type Target = 'collection' | 'member'

/** What the schema.org action, or the class of an older draft of Hydra, says that an operation does. */
const ACTIONS = new Map<string, 'create' | 'change'>([
  ['CreateAction', 'create'],
  ['AddAction', 'create'],
  ['InsertAction', 'create'],
  ['CreateResourceOperation', 'create'],
  ['UpdateAction', 'change'],
  ['ReplaceAction', 'change'],
  ['ReplaceResourceOperation', 'change'],
])

/** Answered for every resource, or of no concern. */
const UNREMARKABLE = ['HEAD', 'OPTIONS']

/** What a document says can be done with the members of one class. */
export class Offers {
  readonly #operations = new Set<Operation>()
  readonly #create = new Set<WriteMethod>()
  readonly #replace = new Set<WriteMethod>()

  get isEmpty(): boolean {
    return this.#operations.size === 0
  }

  has(operation: Operation): boolean {
    return this.#operations.has(operation)
  }

  add(operation: Operation, method?: string): void {
    this.#operations.add(operation)
    const methods =
      operation === 'create' ? this.#create : operation === 'replace' ? this.#replace : undefined
    if (method === 'POST' || method === 'PUT') methods?.add(method)
  }

  createsBy(method: WriteMethod): boolean {
    return this.#create.has(method)
  }

  /** In the usual order. */
  operations(): ReadonlySet<Operation> {
    return new Set(OPERATIONS.filter((operation) => this.#operations.has(operation)))
  }

  methods(hasCollection: boolean): WriteMethods {
    const usual = hasCollection ? USUAL_METHODS : SINGLE_METHODS
    return { create: chosen(this.#create, usual.create), replace: chosen(this.#replace, usual.replace) }
  }
}

/** The usual method first, whatever the order of the document. */
function chosen(said: ReadonlySet<WriteMethod>, usual: readonly WriteMethod[]): readonly WriteMethod[] {
  if (said.size === 0) return usual
  return [...said].toSorted((a, b) => Number(usual.includes(b)) - Number(usual.includes(a)))
}

/**
 * Adds what these operations mean. The older vocabulary adds a member by PUT, on its class too, and replaces it by POST
 * (hypermedia.md, Long form); what an operation says of itself counts more than its method.
 */
export function readOperations(
  operations: readonly Node[],
  target: Target,
  offers: Offers,
  report: Report,
): void {
  const older =
    target === 'member' && operations.some((one) => methodOf(one) === 'POST' && actionOf(one) !== 'create')
  const served: Node[] = []
  for (const operation of operations) {
    const method = methodOf(operation)
    if (method === undefined) {
      report.ignored('an operation without a method')
    } else if (!UNREMARKABLE.includes(method)) {
      const meaning = meaningOf(operation, method, target, older)
      if (meaning === undefined) {
        report.ignored(unserved(method, target))
      } else {
        offers.add(meaning, method)
        served.push(operation)
      }
    }
  }
  noteCompleted(served, report)
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function unserved(method: string, target: Target): string {
  if (METHODS.includes(method)) return `${method} of a whole collection, which is not possible here`
  const meant = nearest(method, METHODS)
  const right = meant === undefined ? `possible: ${METHODS.join(', ')}` : `did you mean ${meant}?`
  return `${quoted(method)} is not a method of ${target}s here; ${right}`
}

function meaningOf(node: Node, method: string, target: Target, older: boolean): Operation | undefined {
  const action = actionOf(node)
  const onCollection = target === 'collection'
  switch (method) {
    case 'GET':
      return onCollection ? 'list' : 'read'
    case 'POST':
      return action === 'create' || (onCollection && action === undefined) ? 'create' : 'replace'
    case 'PUT':
      if (onCollection) return action === 'change' ? undefined : 'create'
      return action === 'create' || (older && action === undefined) ? 'create' : 'replace'
    case 'PATCH':
      return onCollection ? undefined : 'update'
    case 'DELETE':
      // One that expects a member is about that member: older servers list it with the collection.
      return onCollection && node.iris(`${HYDRA}expects`).length === 0 ? undefined : 'delete'
    default:
      return undefined
  }
}

/** Whether an operation on a link adds a member by this method. */
export const creates = (operation: Node, method: WriteMethod): boolean =>
  methodOf(operation) === method && actionOf(operation) !== 'change'

const methodOf = (operation: Node): string | undefined => operation.text(`${HYDRA}method`)?.toUpperCase()

function actionOf(operation: Node): 'create' | 'change' | undefined {
  for (const type of operation.types) {
    const action = ACTIONS.get(lastPart(type))
    if (action !== undefined) return action
  }
  return undefined
}

function noteCompleted(operations: readonly Node[], report: Report): void {
  const lacking = (has: (operation: Node) => boolean) =>
    [
      ...new Set(operations.filter((operation) => !has(operation)).flatMap((one) => methodOf(one) ?? [])),
    ].join(', ')
  const untitled = lacking((one) => one.text(`${HYDRA}title`, `${RDFS}label`) !== undefined)
  if (untitled !== '') report.note(`the title of ${untitled} is missing; completed`)
  const silent = lacking((one) => one.iris(`${HYDRA}returns`).length > 0)
  if (silent !== '') report.note(`"returns" of ${silent} is missing; completed`)
}
