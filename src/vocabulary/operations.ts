import { classIri, hasOperationProperty, OPERATION, OPERATION_IRI, vocabIri } from './contexts.ts'
import { type Class, type CollectionClass, isSingle, type Operation, type WriteMethod } from './model.ts'
import { plural } from './names.ts'

/** Each operation has a title, a method and `returns` (hypermedia.md, Vocabulary). */
export function collectionOperations(cls: CollectionClass, base: string): object[] {
  const owner = `${cls.name}Collection`
  const about = { method: 'GET', title: `List ${plural(cls.title)}`, returns: vocabIri(base, owner) }
  return onlyServed(cls, [
    ['list', [describing(base, owner)('list', 'FindAction', about)]],
    ['create', createOperations(cls, base, owner)],
  ])
}

/** The operations of a member. A single resource is created at its own address. */
export function memberOperations(cls: Class, base: string): object[] {
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

/** `,"operation":[…]` of one member, whose class has just the operations that its reader may carry out. */
export function memberControls(cls: Class, base: string): string {
  const controls = memberOperations(cls, base)
  if (!hasOperationProperty(cls)) return `,"operation":${JSON.stringify(controls)}`
  const withContext = controls.map((one) => ({ '@context': [null, OPERATION], ...one }))
  return `,"${OPERATION_IRI}":${JSON.stringify(withContext)}`
}

/** The beginning of the IRIs in `memberControls`. */
export const memberOperationIri = ({ name }: Class, base: string): string =>
  vocabIri(base, `${name}/operation/`)

const onlyServed = ({ operations }: Class, all: readonly [Operation, object[]][]): object[] =>
  all.flatMap(([operation, descriptions]) => (operations.has(operation) ? descriptions : []))

function createOperations(cls: Class, base: string, owner: string): object[] {
  const member = classIri(cls, base)
  return byMethod(cls.methods.create, 'create', (method, operation) => {
    const about = { method, title: `Create ${cls.title}`, expects: member, returns: member }
    const described = describing(base, owner)(operation, 'CreateAction', about)
    const status = (statusCode: number, title: string) => ({
      // With an IRI, since an operation is described in several places: its statuses must not multiply.
      '@id': `${described['@id']}/${statusCode}`,
      '@type': 'Status',
      statusCode,
      title,
    })
    return { ...described, possibleStatus: [status(201, 'Created'), status(422, 'Invalid')] }
  })
}

/** One operation for each method that the API file allows for it; the first has the name alone. */
const byMethod = (
  methods: readonly WriteMethod[],
  name: string,
  describe: (method: WriteMethod, name: string) => object,
): object[] =>
  methods.map((method, index) => describe(method, index === 0 ? name : `${name}-${method.toLowerCase()}`))

/** Below `operation/`, since a property may be called `get` or `delete`, and its IRI is `{Class}/{name}`. */
export const describing = (base: string, owner: string) => (name: string, action: string, about: object) => ({
  '@id': vocabIri(base, `${owner}/operation/${name}`),
  '@type': ['Operation', `schema:${action}`],
  ...about,
})
