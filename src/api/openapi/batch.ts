import {
  type Class,
  contextAddress,
  hasCollection,
  type Operation,
  ofFile,
  pathTo,
  storedClasses,
} from '../../vocabulary/index.ts'
import { LINKING_MEMBERS } from './resources.ts'
import {
  ADDRESS,
  anyOf,
  classRef,
  creatingAt,
  keyOf,
  listOf,
  objectOf,
  oneOf,
  type Schema,
  type Shown,
  schemaRef,
  TEXT,
} from './schemas.ts'

/** Requests and results of a batch (live.md, Many at once): one schema for each class and kind of operation. */
export function batchSchemas(shown: Shown): Record<string, Schema> {
  const { model, base } = shown
  const operations = Object.fromEntries(
    storedClasses(ofFile(model)).flatMap((cls) => operationsOn(cls, shown)),
  )
  const [first, ...more] = Object.keys(operations).map(schemaRef)
  if (first === undefined) return {}
  const context = { '@context': oneOf([contextAddress('OperationBatch', base)]), '@type': TYPE }
  const served = { '@context': schemaRef('json_ld_context'), '@type': TYPE }
  const result = (items: Schema) => objectOf(['@type', 'operation'], { ...served, operation: listOf(items) })
  return {
    ...operations,
    batch_request: closed(['operation'], { ...context, operation: listOf(anyOf(first, ...more)) }),
    batch_result: {
      ...result(schemaRef('batch_done')),
      description: 'All operations were carried out.',
    },
    batch_lenient_result: {
      ...result(anyOf(schemaRef('batch_done'), schemaRef('batch_failed'))),
      description:
        'With `Prefer: handling=lenient`: each operation was carried out, or has failed, on its own.',
    },
    batch_done: objectOf(['status'], {
      status: { type: 'integer', enum: [200, 201, 204] },
      location: { ...ADDRESS, description: 'Of a member that was created.' },
      etag: TEXT,
    }),
    batch_failed: objectOf(['status', 'type', 'detail'], {
      status: { type: 'integer', minimum: 400, maximum: 599 },
      type: { ...ADDRESS, description: 'The kind of problem; the documentation describes it.' },
      detail: TEXT,
      violations: listOf(schemaRef('property_violation')),
      furtherViolations: { type: 'integer', description: 'How many there are beside those that are listed.' },
      ...LINKING_MEMBERS,
    }),
  }
}

const TYPE = oneOf(['OperationBatch'])

const closed = (required: readonly string[], properties: Schema): Schema => ({
  ...objectOf(required, properties),
  additionalProperties: false,
})

const NAME = {
  ...TEXT,
  pattern: '^_:[^\\s:]{1,128}$',
  description: 'Names the new member for links of later operations.',
}
const CONDITIONS = {
  ifMatch: { ...TEXT, description: 'As the header If-Match: the ETag that was read.' },
  ifNoneMatch: {
    ...TEXT,
    description: 'As the header If-None-Match: `*` where there must be nothing at this address.',
  },
}

/** The targets of a batch's operations on a class: its path, and its members. */
function targetsOf(cls: Class, base: string): { path: Schema; member: Schema } {
  const name = cls.collection ?? cls.name
  const encoded = pathTo(name).slice(1)
  const paths = [...new Set([name, encoded, `${base}/${encoded}`])]
  const literal = paths.map((text) => text.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&'))
  const pattern = `^(?:${literal.join('|')})/[A-Za-z0-9._~-]{1,128}$`
  return { path: oneOf(paths), member: { ...TEXT, pattern, examples: [`${encoded}/1`] } }
}

/** The operations of a batch on one class that these users may carry out, by the names of their schemas. */
function operationsOn(cls: Class, shown: Shown): [name: string, Schema][] {
  const { operations, methods } = cls
  const has = (operation: Operation) => operations.has(operation)
  const isSingle = !hasCollection(cls)
  const { path, member } = targetsOf(cls, shown.base)
  const describe = (kind: string, by: readonly string[], rest: Schema, required = ['body']) =>
    by.length === 0
      ? []
      : [
          [
            `${keyOf(cls)}_batch_${kind}`,
            closed(['method', 'target', ...required], {
              method: oneOf(by),
              target: isSingle ? path : member,
              ...rest,
            }),
          ] as [string, Schema],
        ]
  const body = classRef(cls, '_input')
  const patch = classRef(cls, '_patch')
  const creating = has('create') ? methods.create : []
  const replacing = [...(has('replace') ? methods.replace : []), ...(isSingle ? creating : [])]
  const isNew = { ...CONDITIONS, ifNoneMatch: oneOf(['*']) }
  return [
    ...describe('create', isSingle ? [] : creating, { target: path, id: NAME, body }),
    ...describe('create_at', creatingAt(cls, shown), { id: NAME, ...isNew, body }, ['body', 'ifNoneMatch']),
    ...describe('replace', replacing, { id: NAME, ...CONDITIONS, body }),
    ...describe('update', has('update') ? ['PATCH'] : [], { ...CONDITIONS, body: patch }),
    ...describe('delete', has('delete') ? ['DELETE'] : [], CONDITIONS, []),
  ]
}
