import { nearest } from '../../text.ts'
import type { Findings } from '../findings.ts'
import {
  type Class,
  OPERATIONS,
  type Operation,
  SINGLE_METHODS,
  USUAL_METHODS,
  type WriteMethod,
} from '../model.ts'
import { HYDRA, RDFS } from '../names.ts'
import type { Classes, MemberClass } from './classes.ts'
import { lastPart, type Node, operationsOf, quoted } from './graph.ts'

/** What an operation is declared on: a collection (its class or a link to it), or a member (its class). */
type Target = 'collection' | 'member'

/** What the schema.org action, or the class of an older draft of Hydra, says that an operation does. */
const CREATING = ['CreateAction', 'AddAction', 'InsertAction', 'CreateResourceOperation']
const CHANGING = ['UpdateAction', 'ReplaceAction', 'ReplaceResourceOperation']

/** Methods that every resource has. */
const UNREMARKABLE = ['HEAD', 'OPTIONS']

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What a document says about the members of one class: where they are, and their operations. */
export class ClassDescription {
  readonly memberClass: MemberClass
  /** Candidates for the path of the collection, the best first. */
  readonly paths: string[] = []
  isMember = false
  /** Whether the entry point links to the collection. */
  isEntered = false
  hasCollectionClass = false
  /** Whether the entry point links to it as a single resource. */
  isLinkedAlone = false
  readonly #classes: Classes
  readonly #operations = new Set<Operation>()
  readonly #methods = { create: new Set<WriteMethod>(), replace: new Set<WriteMethod>() }

  constructor(memberClass: MemberClass, classes: Classes) {
    this.memberClass = memberClass
    this.#classes = classes
  }

  get isEmpty(): boolean {
    return this.#operations.size === 0
  }

  get createsByPost(): boolean {
    return this.#methods.create.has('POST')
  }

  has(...operations: Operation[]): boolean {
    return operations.some((operation) => this.#operations.has(operation))
  }

  add(operation: Operation, method?: string): void {
    this.#operations.add(operation)
    const writes = operation === 'create' || operation === 'replace'
    if (writes && (method === 'POST' || method === 'PUT')) this.#methods[operation].add(method)
  }

  /** The type of an operation counts more than its method: older documents create by PUT and replace by POST. */
  readOperations(operations: readonly Node[], target: Target, report: Findings): void {
    const isOlder =
      target === 'member' && operations.some((one) => methodOf(one) === 'POST' && actionOf(one) !== 'create')
    const served = operations.filter((operation) => {
      const method = methodOf(operation)
      if (method === undefined) return report.ignored('an operation without a method')
      if (UNREMARKABLE.includes(method)) return false
      const meaning =
        target === 'collection'
          ? meaningOnCollection(operation, method)
          : meaningOnMember(operation, method, isOlder)
      if (meaning === undefined) return report.ignored(whyUnserved(method, target))
      this.add(meaning, method)
      return true
    })
    noteCompleted(served, report)
    const expected = operations.flatMap((operation) => operation.iris(`${HYDRA}expects`))
    for (const other of new Set(expected.map(this.#classes.find)))
      if (other !== undefined && other !== this.memberClass)
        report.note(`an operation expects ${other.name}; here it takes ${this.memberClass.name} itself`)
  }

  /** `node`: a class of a collection, or a link to one. */
  readCollection(node: Node, report: Findings): void {
    this.isMember = true
    if (node.values(`${HYDRA}search`).length > 0)
      report.ignored('its search template; every collection has one for all its properties')
    this.readOperations(operationsOf(node), 'collection', report)
  }

  /** Operations in the usual order; of several methods the usual one first. */
  served(hasCollection: boolean): Pick<Class, 'operations' | 'methods'> {
    const usual = hasCollection ? USUAL_METHODS : SINGLE_METHODS
    const methodsFor = (operation: 'create' | 'replace') => {
      const isUsual = (method: WriteMethod) => Number(usual[operation].includes(method))
      const said = [...this.#methods[operation]].toSorted((a, b) => isUsual(b) - isUsual(a))
      return said.length === 0 ? usual[operation] : said
    }
    return {
      operations: new Set(OPERATIONS.filter((operation) => this.#operations.has(operation))),
      methods: { create: methodsFor('create'), replace: methodsFor('replace') },
    }
  }
}

function whyUnserved(method: string, target: Target): string {
  if (METHODS.includes(method)) return `${method} of a whole collection, which is not possible here`
  const meant = nearest(method, METHODS)
  const right = meant === undefined ? `possible: ${METHODS.join(', ')}` : `did you mean ${meant}?`
  return `${quoted(method)} is not a method of ${target}s here; ${right}`
}

function meaningOnCollection(operation: Node, method: string): Operation | undefined {
  const action = actionOf(operation)
  if (method === 'GET') return 'list'
  if (method === 'POST') return action === 'change' ? 'replace' : 'create'
  if (method === 'PUT') return action === 'change' ? undefined : 'create'
  // One that expects a member is about that member: older servers list it with the collection.
  return method === 'DELETE' && operation.iris(`${HYDRA}expects`).length > 0 ? 'delete' : undefined
}

function meaningOnMember(operation: Node, method: string, isOlder: boolean): Operation | undefined {
  const action = actionOf(operation)
  const creates = action === 'create' || (isOlder && method === 'PUT' && action === undefined)
  if (method === 'POST' || method === 'PUT') return creates ? 'create' : 'replace'
  return ON_MEMBER[method]
}

const ON_MEMBER: Readonly<Record<string, Operation>> = { GET: 'read', PATCH: 'update', DELETE: 'delete' }

export const addsByPost = (operation: Node): boolean =>
  methodOf(operation) === 'POST' && actionOf(operation) !== 'change'

const methodOf = (operation: Node): string | undefined => operation.text(`${HYDRA}method`)?.toUpperCase()

function actionOf(operation: Node): 'create' | 'change' | undefined {
  const types = [...operation.types].map(lastPart)
  if (types.some((type) => CREATING.includes(type))) return 'create'
  return types.some((type) => CHANGING.includes(type)) ? 'change' : undefined
}

function noteCompleted(operations: readonly Node[], report: Findings): void {
  const lacking = (has: (operation: Node) => boolean) => {
    const methods = operations.filter((operation) => !has(operation)).flatMap((one) => methodOf(one) ?? [])
    return [...new Set(methods)].join(', ')
  }
  const untitled = lacking((one) => one.text(`${HYDRA}title`, `${RDFS}label`) !== undefined)
  if (untitled !== '') report.note(`the title of ${untitled} is missing; completed`)
  const silent = lacking((one) => one.iris(`${HYDRA}returns`).length > 0)
  if (silent !== '') report.note(`"returns" of ${silent} is missing; completed`)
}
