import { classIri, vocabIri } from './contexts.ts'
import type { Class, Operation } from './model.ts'
import { plural } from './plural.ts'

type Operations = ReadonlySet<Operation>

/** The operations of the documentation: each has a title, a method and `returns` (hypermedia.md, Vocabulary). */
export function collectionOperations(cls: Class, base: string, implemented: Operations): object[] {
  const owner = `${cls.name}Collection`
  const member = classIri(cls, base)
  return offered(cls, implemented, {
    list: {
      ...named(base, owner, 'list', 'FindAction'),
      method: 'GET',
      title: `List ${plural(cls.title)}`,
      returns: vocabIri(base, owner),
    },
    create: {
      ...named(base, owner, 'create', 'CreateAction'),
      method: 'POST',
      title: `Create ${cls.title}`,
      expects: member,
      returns: member,
      possibleStatus: [status(201, 'Created'), status(422, 'Invalid')],
    },
  })
}

export function memberOperations(cls: Class, base: string, implemented: Operations): object[] {
  const { name, title } = cls
  const member = classIri(cls, base)
  return offered(cls, implemented, {
    read: {
      ...named(base, name, 'get', 'FindAction'),
      method: 'GET',
      title: `Get ${title}`,
      returns: member,
    },
    update: {
      ...named(base, name, 'update', 'UpdateAction'),
      method: 'PATCH',
      title: `Update ${title}`,
      expects: member,
      returns: member,
      expectsHeader: { headerName: 'Content-Type', possibleValue: 'application/merge-patch+json' },
    },
    replace: {
      ...named(base, name, 'replace', 'ReplaceAction'),
      method: 'PUT',
      title: `Replace ${title}`,
      expects: member,
      returns: member,
    },
    delete: {
      ...named(base, name, 'delete', 'DeleteAction'),
      method: 'DELETE',
      title: `Delete ${title}`,
      returns: 'owl:Nothing',
    },
  })
}

export function entryPointOperations(base: string): object[] {
  const returns = vocabIri(base, 'EntryPoint')
  return [{ ...named(base, 'EntryPoint', 'get', 'FindAction'), method: 'GET', title: 'Entry point', returns }]
}

export function sessionOperations(base: string): object[] {
  return [
    {
      ...named(base, 'Session', 'get', 'FindAction'),
      method: 'GET',
      title: 'Get Session',
      returns: vocabIri(base, 'Session'),
    },
    {
      ...named(base, 'Session', 'delete', 'DeleteAction'),
      method: 'DELETE',
      title: 'End Session',
      returns: 'owl:Nothing',
    },
  ]
}

/** Those that the API file declares and the resources implement. */
function offered(cls: Class, implemented: Operations, all: Partial<Record<Operation, object>>): object[] {
  return Object.entries(all)
    .filter(([name]) => cls.operations.has(name as Operation) && implemented.has(name as Operation))
    .map(([, entry]) => entry)
}

/** Below `operation/`, since a property may be called `get` or `delete`, and its IRI is `{Class}/{name}`. */
const named = (base: string, owner: string, name: string, action: string) => ({
  '@id': vocabIri(base, `${owner}/operation/${name}`),
  '@type': ['Operation', `schema:${action}`],
})

const status = (statusCode: number, title: string) => ({ '@type': 'Status', statusCode, title })
