import { hasLimitedOperations, NO_RULES, readGrantees, whoMay } from './access/access.ts'
import { listAccountPaths, readAccountPath } from './access/account-paths.ts'
import { classIri, hasOperationProperty, OPERATION, OPERATION_IRI, vocabIri } from './contexts/contexts.ts'
import type { FileProblem } from './file-problems.ts'
import { type ApiFileResult, Findings } from './findings.ts'
import {
  type Class,
  type CollectionClass,
  type CustomOperation,
  isSingle,
  type Model,
  type Operation,
  RULED_OPERATIONS,
  storedClasses,
  type WriteMethod,
} from './model.ts'
import { plural } from './names.ts'

/** Each operation has a title, a method and `returns` (hypermedia.md, Vocabulary). */
export function collectionOperations(cls: CollectionClass, base: string): DescribedOperation[] {
  const owner = `${cls.name}Collection`
  const about = { method: 'GET', title: `List ${plural(cls.title)}`, returns: vocabIri(base, owner) }
  return onlyServed(cls, [
    ['list', [describing(base, owner)('list', 'FindAction', about)]],
    ['create', createOperations(cls, base, owner)],
  ])
}

/** The operations of a member. A single resource is created at its own address. */
export function memberOperations(cls: Class, base: string): DescribedOperation[] {
  const { name, title } = cls
  const returns = classIri(cls, base)
  const describe = describing(base, name)
  const expectsHeader = {
    '@type': 'hydra:HeaderSpecification',
    headerName: 'Content-Type',
    possibleValue: 'application/merge-patch+json',
  }
  const update = { method: 'PATCH', title: `Update ${title}`, expects: returns, returns, expectsHeader }
  const replace = byMethod(cls.methods.replace, 'replace', (method, operation) =>
    describe(operation, 'ReplaceAction', { method, title: `Replace ${title}`, expects: returns, returns }),
  )
  const remove = { method: 'DELETE', title: `Delete ${title}`, returns: 'owl:Nothing' }
  return onlyServed(cls, [
    ['create', isSingle(cls) ? createOperations(cls, base, name) : []],
    ['read', [describe('get', 'FindAction', { method: 'GET', title: `Get ${title}`, returns })]],
    ['update', [describe('update', 'UpdateAction', update)]],
    ['replace', replace],
    ['delete', [describe('delete', 'DeleteAction', remove)]],
  ])
}

/** `,"operation":[…]` of one member. `cls` has only the operations that its reader may carry out. */
export function memberControls(cls: Class, base: string): string {
  const controls = memberOperations(cls, base)
  if (!hasOperationProperty(cls)) return `,"operation":${JSON.stringify(controls)}`
  const withContext = controls.map((one) => ({ '@context': [null, OPERATION], ...one }))
  return `,"${OPERATION_IRI}":${JSON.stringify(withContext)}`
}

/** The beginning of the IRIs in `memberControls`. */
export const memberOperationIri = ({ name }: Class, base: string): string =>
  vocabIri(base, `${name}/operation/`)

const onlyServed = (
  { operations }: Class,
  all: readonly [Operation, DescribedOperation[]][],
): DescribedOperation[] =>
  all.flatMap(([operation, descriptions]) => (operations.has(operation) ? descriptions : []))

function createOperations(cls: Class, base: string, owner: string): DescribedOperation[] {
  const member = classIri(cls, base)
  return byMethod(cls.methods.create, 'create', (method, operation) => {
    const about = { method, title: `Create ${cls.title}`, expects: member, returns: member }
    return describing(base, owner)(operation, 'CreateAction', about)
  })
}

/** One description for each method of the operation; the first has the name of the operation as its own. */
const byMethod = (
  methods: readonly WriteMethod[],
  name: string,
  describe: (method: WriteMethod, name: string) => DescribedOperation,
): DescribedOperation[] =>
  methods.map((method, index) => describe(method, index === 0 ? name : `${name}-${method.toLowerCase()}`))

/** The IRI is below `operation/`, since a property may be called `get` or `delete`, and its IRI is `{Class}/{name}`. */
export const describing =
  (base: string, owner: string) =>
  (name: string, action: string, about: AboutOperation): DescribedOperation => ({
    '@id': vocabIri(base, `${owner}/operation/${name}`),
    '@type': ['Operation', `schema:${action}`],
    ...about,
  })

/** Describes an operation of a class. */
export type Describe = ReturnType<typeof describing>

interface AboutOperation {
  readonly method: string
  readonly title: string
  readonly expects?: string
  readonly returns: string
  readonly expectsHeader?: object
}

/** An operation of the documentation, or of a member. */
export interface DescribedOperation extends AboutOperation {
  readonly '@id': string
  readonly '@type': readonly string[]
}

/** A custom operation, as a program declares it (library.md). */
export interface DeclaredOperation {
  readonly title?: string
  /** The class of the request body, by name. */
  readonly expects?: string
  /** The class of the response body, by name. */
  readonly returns?: string
  /** Roles, `owner`, `everyone` or `nobody`. By default, those who may `update` the member. */
  readonly access?: string | readonly string[]
  /** Whether the operation and its writes are one transaction. */
  readonly transaction?: boolean
  readonly handle: unknown
}

/** Keyed by class name, then by the name of the operation. */
export type DeclaredOperations = Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>

const KEYS = ['title', 'expects', 'returns', 'access', 'transaction', 'handle']
const NAME = /^[a-z][a-z0-9-]*$/

/** Names that have another meaning: methods, operations of the documentation, keys of a representation. */
const TAKEN = [
  ...['get', 'head', 'post', 'put', 'patch', 'delete', 'options', ...RULED_OPERATIONS],
  ...['create-post', 'create-put', 'replace-post', 'replace-put'],
  ...['operation', 'id'],
]

/** Classes that may exist only for these operations. */
export const classesOf = (declared: DeclaredOperations): readonly unknown[] =>
  Object.values(declared)
    .flatMap((ofClass) => Object.values(Object(ofClass) as Record<string, unknown>))
    .flatMap((one) => {
      const { expects, returns } = Object(one) as Partial<DeclaredOperation>
      return [expects, returns]
    })

/** The model with the custom operations of a program, or all of their problems. */
export function withOwnOperations(model: Model, declared: DeclaredOperations): ApiFileResult {
  const findings = new Findings()
  const stored = storedClasses(model)
  for (const name of Object.keys(declared)) {
    if (stored.some((cls) => cls.name === name)) continue
    const known = stored.map((cls) => cls.name)
    findings.at(name).problem('NotAStoredClass', { name, known })
  }
  const classes = model.classes.map((cls): Class => {
    if (!Object.hasOwn(declared, cls.name) || !stored.includes(cls)) return cls
    const ofClass = Object.entries(Object(declared[cls.name]))
    const customOperations = ofClass.map(([name, one]) => readOne(name, one, cls, model, findings))
    return { ...cls, customOperations }
  })
  // An operation that is not for everyone needs users and roles.
  const rules = model.access ?? (classes.some(hasLimitedOperations) ? NO_RULES : undefined)
  return findings.result({ ...model, classes, ...(rules && { access: rules }) })
}

function readOne(
  name: string,
  declared: unknown,
  cls: Class,
  { classes, access: rules }: Model,
  findings: Findings,
): CustomOperation {
  const path = `${cls.name}.${name}`
  const report = findings.at(path)
  const given = Object(declared) as Record<string, unknown>
  const nameProblem = findOperationNameProblem(name, cls)
  if (nameProblem !== undefined) report.add(nameProblem)
  for (const key of Object.keys(given))
    if (!KEYS.includes(key)) report.problem('UnknownOperationKey', { name: key, known: KEYS })
  if (typeof given.handle !== 'function') report.problem('NoHandler')
  if (!['boolean', 'undefined'].includes(typeof given.transaction)) report.problem('TransactionNotBoolean')
  const readText = (key: 'title' | 'expects' | 'returns'): string | undefined => {
    const value = given[key]
    if (value === undefined || typeof value === 'string') return value
    return report.problem('OperationKeyNotText', { key })
  }
  const known = classes.map((one) => one.name)
  const readClass = (key: 'expects' | 'returns'): string | undefined => {
    const value = readText(key)
    if (value === undefined || known.includes(value)) return value
    return report.problem('UnknownClass', { key, name: value, known })
  }
  const ofAccess = findings.at(`${path}.access`)
  const named = [...new Set([given.access].flat())]
  const grantees =
    given.access === undefined
      ? whoMay(rules, cls.name, 'update')
      : readGrantees(named, {
          roles: rules?.roles ?? [],
          readPath: (name) => readAccountPath(classes, cls, name),
          listPaths: () => listAccountPaths(classes, cls),
          unfit: cls.collection === undefined ? ['anyone', 'owner'] : ['anyone'],
          refuse: (problem) => ofAccess.add(problem),
        })
  if (grantees.anyone) ofAccess.problem('AnyoneOnlyReads')
  if (grantees.owner && cls.collection === undefined)
    ofAccess.problem('NoOwnerOfSingle', { className: cls.name })
  return {
    name,
    title: readText('title') ?? name,
    expects: readClass('expects'),
    returns: readClass('returns'),
    grantees,
  }
}

function findOperationNameProblem(name: string, cls: Class): FileProblem | undefined {
  if (!NAME.test(name)) return { code: 'InvalidOperationName', values: {} }
  if (TAKEN.includes(name)) return { code: 'ReservedOperationName', values: { name } }
  if (![...cls.properties, ...cls.reverseLinks].some((one) => one.name === name)) return undefined
  return { code: 'OperationIsProperty', values: { className: cls.name, name } }
}
