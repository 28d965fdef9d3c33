import { classIri, vocabIri } from './contexts.ts'
import { type Class, type CollectionClass, isSingle, type WriteMethod } from './model.ts'
import { plural } from './names.ts'

/** The operations of the documentation: each has a title, a method and `returns` (hypermedia.md, Vocabulary). */
export function collectionOperations(cls: CollectionClass, base: string): object[] {
  const owner = `${cls.name}Collection`
  const about = { method: 'GET', title: `List ${plural(cls.title)}`, returns: vocabIri(base, owner) }
  const list = describing(base, owner)('list', 'FindAction', about)
  return [...(cls.operations.has('list') ? [list] : []), ...createOperations(cls, base, owner)]
}

/** Of a member; a single resource is created at its own address. */
export function memberOperations(cls: Class, base: string): object[] {
  const { name, title, operations } = cls
  const member = classIri(cls, base)
  const describe = describing(base, name)
  const read = describe('get', 'FindAction', { method: 'GET', title: `Get ${title}`, returns: member })
  const update = describe('update', 'UpdateAction', {
    method: 'PATCH',
    title: `Update ${title}`,
    expects: member,
    returns: member,
    expectsHeader: {
      '@type': 'hydra:HeaderSpecification',
      headerName: 'Content-Type',
      possibleValue: 'application/merge-patch+json',
    },
  })
  const replace = byMethod(cls.methods.replace, 'replace', (method, operation) =>
    describe(operation, 'ReplaceAction', {
      method,
      title: `Replace ${title}`,
      expects: member,
      returns: member,
    }),
  )
  const about = { method: 'DELETE', title: `Delete ${title}`, returns: 'owl:Nothing' }
  return [
    ...(isSingle(cls) ? createOperations(cls, base, name) : []),
    ...(operations.has('read') ? [read] : []),
    ...(operations.has('update') ? [update] : []),
    ...(operations.has('replace') ? replace : []),
    ...(operations.has('delete') ? [describe('delete', 'DeleteAction', about)] : []),
  ]
}

function createOperations(cls: Class, base: string, owner: string): object[] {
  if (!cls.operations.has('create')) return []
  const member = classIri(cls, base)
  return byMethod(cls.methods.create, 'create', (method, operation) => {
    const about = { method, title: `Create ${cls.title}`, expects: member, returns: member }
    const described = describing(base, owner)(operation, 'CreateAction', about)
    const status = (statusCode: number, title: string) => ({
      // Named, since an operation is described in more than one place: its statuses are the same ones in each.
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

export function entryPointOperations(base: string): object[] {
  const about = { method: 'GET', title: 'Entry point', returns: vocabIri(base, 'EntryPoint') }
  return [describing(base, 'EntryPoint')('get', 'FindAction', about)]
}

export function sessionOperations(base: string): object[] {
  const describe = describing(base, 'Session')
  const returns = vocabIri(base, 'Session')
  return [
    describe('get', 'FindAction', { method: 'GET', title: 'Get Session', returns }),
    describe('delete', 'DeleteAction', { method: 'DELETE', title: 'End Session', returns: 'owl:Nothing' }),
  ]
}

/** Below `operation/`, since a property may be called `get` or `delete`, and its IRI is `{Class}/{name}`. */
const describing = (base: string, owner: string) => (name: string, action: string, about: object) => ({
  '@id': vocabIri(base, `${owner}/operation/${name}`),
  '@type': ['Operation', `schema:${action}`],
  ...about,
})
