import { classIri, vocabIri } from './contexts.ts'
import { type Class, type CollectionClass, isSingle, type WriteMethod } from './model.ts'
import { plural } from './names.ts'

/** The operations of the documentation: each has a title, a method and `returns` (hypermedia.md, Vocabulary). */
export function collectionOperations(cls: CollectionClass, base: string): object[] {
  const owner = `${cls.name}Collection`
  const list = {
    ...named(base, owner, 'list', 'FindAction'),
    method: 'GET',
    title: `List ${plural(cls.title)}`,
    returns: vocabIri(base, owner),
  }
  return [...(cls.operations.has('list') ? [list] : []), ...createOperations(cls, base, owner)]
}

/** Of a member; a single resource is created at its own address. */
export function memberOperations(cls: Class, base: string): object[] {
  const { name, title, operations } = cls
  const member = classIri(cls, base)
  const read = {
    ...named(base, name, 'get', 'FindAction'),
    method: 'GET',
    title: `Get ${title}`,
    returns: member,
  }
  const update = {
    ...named(base, name, 'update', 'UpdateAction'),
    method: 'PATCH',
    title: `Update ${title}`,
    expects: member,
    returns: member,
    expectsHeader: {
      '@type': 'hydra:HeaderSpecification',
      headerName: 'Content-Type',
      possibleValue: 'application/merge-patch+json',
    },
  }
  const replace = byMethod(cls.methods.replace, 'replace', (method, operation) => ({
    ...named(base, name, operation, 'ReplaceAction'),
    method,
    title: `Replace ${title}`,
    expects: member,
    returns: member,
  }))
  const remove = {
    ...named(base, name, 'delete', 'DeleteAction'),
    method: 'DELETE',
    title: `Delete ${title}`,
    returns: 'owl:Nothing',
  }
  return [
    ...(isSingle(cls) ? createOperations(cls, base, name) : []),
    ...(operations.has('read') ? [read] : []),
    ...(operations.has('update') ? [update] : []),
    ...(operations.has('replace') ? replace : []),
    ...(operations.has('delete') ? [remove] : []),
  ]
}

function createOperations(cls: Class, base: string, owner: string): object[] {
  if (!cls.operations.has('create')) return []
  const member = classIri(cls, base)
  return byMethod(cls.methods.create, 'create', (method, operation) => {
    const about = named(base, owner, operation, 'CreateAction')
    return {
      ...about,
      method,
      title: `Create ${cls.title}`,
      expects: member,
      returns: member,
      possibleStatus: [status(about['@id'], 201, 'Created'), status(about['@id'], 422, 'Invalid')],
    }
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
  const returns = vocabIri(base, 'EntryPoint')
  return [{ ...named(base, 'EntryPoint', 'get', 'FindAction'), method: 'GET', title: 'Entry point', returns }]
}

export function sessionOperations(base: string): object[] {
  const get = named(base, 'Session', 'get', 'FindAction')
  const end = named(base, 'Session', 'delete', 'DeleteAction')
  return [
    { ...get, method: 'GET', title: 'Get Session', returns: vocabIri(base, 'Session') },
    { ...end, method: 'DELETE', title: 'End Session', returns: 'owl:Nothing' },
  ]
}

/** Below `operation/`, since a property may be called `get` or `delete`, and its IRI is `{Class}/{name}`. */
const named = (base: string, owner: string, name: string, action: string) => ({
  '@id': vocabIri(base, `${owner}/operation/${name}`),
  '@type': ['Operation', `schema:${action}`],
})

/** Named, since an operation is described in more than one place: its statuses are the same ones in each. */
const status = (operation: string, statusCode: number, title: string) => ({
  '@id': `${operation}/${statusCode}`,
  '@type': 'Status',
  statusCode,
  title,
})
