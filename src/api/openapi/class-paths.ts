import {
  type Class,
  type CustomOperation,
  hasCollection,
  isAccount,
  type Model,
  type Operation,
  pathTo,
  permittedOperations,
  REMOVAL,
  type RemovalRule,
  storedClasses,
} from '../../vocabulary/index.ts'
import { CSV, PLAIN_JSON, RDF_TYPES } from '../request.ts'
import { accountPaths } from './accounts.ts'
import { ACCEPT_DATETIME, DELETED_PARAMETER, historyPaths, PAST_HEADERS } from './history.ts'
import {
  collectionParameters,
  fieldsParameter,
  IF_MATCH,
  IF_NEW,
  IF_NONE_MATCH,
  includeParameter,
  MEMBER_ID,
  prefer,
} from './parameters.ts'
import {
  applied,
  CONTENT_LOCATION,
  content,
  ETAG,
  errors,
  LOCATION,
  noContent,
  served,
  unchanged,
} from './responses.ts'
import { classRef, creatingAt, keyOf, type Schema, type Shown, schemaRef } from './schemas.ts'
import { summaryPath } from './summaries.ts'
import { valueRef } from './values.ts'

/** The paths of a class: its collection, a member, and its custom operations. */
export function classPaths(cls: Class, shown: Shown): Record<string, Schema> {
  const path = pathTo(cls.collection ?? cls.name)
  const isSingle = !hasCollection(cls)
  const [address, parameters] = isSingle ? [path, {}] : [`${path}/{id}`, { parameters: [MEMBER_ID] }]
  const ofCollection = isSingle ? {} : collectionOperations(cls, shown)
  const ofMember = memberOperations(cls, shown)
  const below: Record<string, Schema> = {}
  const addBelow = (name: string, methods: Schema) => {
    below[`${address}/${name}`] = { ...parameters, ...below[`${address}/${name}`], ...methods }
  }
  if (cls.history !== undefined)
    for (const [name, { parameters: own = [], ...methods }] of Object.entries(historyPaths(cls, shown)))
      below[`${address}/${name}`] = {
        parameters: [...(isSingle ? [] : [MEMBER_ID]), ...(own as readonly Schema[])],
        ...methods,
      }
  if (takesOthers(cls, shown)) addBelow(REMOVAL, { get: previewRemoval(cls) })
  for (const operation of permittedOperations(cls))
    addBelow(operation.name, { post: customOperation(operation, cls, shown.model) })
  return {
    ...(Object.keys(ofCollection).length > 0 && { [path]: ofCollection }),
    ...(Object.keys(ofMember).length > 0 && { [address]: { ...parameters, ...ofMember } }),
    ...below,
    ...(hasCollection(cls) && isAccount(cls) && accountPaths(cls)),
    ...(hasCollection(cls) && cls.operations.has('list') && summaryPath(cls, shown)),
  }
}

/** Whether a DELETE can delete or change other members. */
const takesOthers = (cls: Class, { removalTargets }: Shown): boolean =>
  cls.operations.has('delete') && removalTargets.has(cls.name)

const previewRemoval = (cls: Class) => ({
  ...about(cls, 'previewRemoval', 'See what else a removal would delete or change:'),
  responses: {
    200: served('The other members.', schemaRef('removal_preview'), {}),
    ...errors(404, 409, '4XX', '5XX'),
  },
})

const MINIMAL = 'return=minimal'
const PREFER = prefer('`return=minimal` for an answer without a body.', MINIMAL, 'return=representation')

/** Only the operation ids of a second method, and of custom operations, have an underscore, so all ids differ. */
const about = (cls: Class, operation: string, summary: string, method = '') => ({
  operationId: `${operation}${keyOf(cls)}${method && `_${method.toLowerCase()}`}`,
  summary: `${summary} ${cls.title}`,
  tags: [cls.name],
})

/** One entry for each method of an operation; the first has the name of the operation as its id. */
const byMethod = (cls: Class, operation: 'create' | 'replace', describe: (method: string) => Schema) =>
  cls.operations.has(operation) &&
  Object.fromEntries(
    cls.methods[operation].map((method, index) => [
      method.toLowerCase(),
      describe(index === 0 ? '' : method),
    ]),
  )

const body = (schema: Schema, types?: readonly string[]) => ({
  requestBody: { required: true, content: content(schema, types) },
})

const WRITTEN = { ...ETAG, ...applied(MINIMAL) }
const created = (cls: Class) => ({
  201: served(
    'Created. Without a body with `return=minimal`, and where you may not read it.',
    classRef(cls, ''),
    { ...WRITTEN, ...LOCATION },
  ),
})
const changed = (cls: Class) => ({
  200: served('Changed.', classRef(cls, ''), WRITTEN),
  ...noContent('Changed, with `return=minimal`.', WRITTEN),
  ...errors(400, 404, 412, 415, 422, '4XX', '5XX'),
})

/** The preferences of a list; the last are both, as they are confirmed. */
const LISTED = ['count=exact', 'spreadsheet', 'count=exact, spreadsheet']
const LIST_PREFERENCES =
  '`count=exact` to count however many match; `spreadsheet` for CSV whose texts are not read as formulas.'

const PATHS_AND_ALTERNATIVES =
  'Filters and orders may name paths of up to four names (`author.country.name`), also longer ones than the parameters below, and every operator works on them. ' +
  'Parameters such as `or[a][title]=x` and `or[a][pages.gte]=5`, with the same letter or number, are alternatives.'

function collectionOperations(cls: Class, shown: Shown): Schema {
  const list = {
    ...about(cls, 'list', 'List'),
    description: PATHS_AND_ALTERNATIVES,
    parameters: [
      ...collectionParameters(cls, shown),
      ...(cls.history === undefined ? [] : [DELETED_PARAMETER]),
      IF_NONE_MATCH,
      prefer(LIST_PREFERENCES, ...LISTED),
    ],
    responses: {
      200: served('A page.', classRef(cls, '_page'), { ...ETAG, ...applied(...LISTED) }, [...RDF_TYPES, CSV]),
      ...unchanged(applied(...LISTED)),
      ...errors(400, '4XX', '5XX'),
    },
  }
  return {
    ...(cls.operations.has('list') && { get: list }),
    ...byMethod(cls, 'create', (method) => ({
      ...about(cls, 'create', 'Create', method),
      parameters: [PREFER],
      ...body(classRef(cls, '_input')),
      responses: { ...created(cls), ...errors(400, 412, 415, 422, '4XX', '5XX') },
    })),
  }
}

/** The operations on a member, or on a single resource, which is created at its own address. */
function memberOperations(cls: Class, shown: Shown): Schema {
  const has = (operation: Operation) => cls.operations.has(operation)
  const isSingle = !hasCollection(cls)
  const include = includeParameter(cls, shown.model)
  const read = {
    ...about(cls, 'read', 'Get'),
    parameters: [
      ...(include === undefined ? [] : [include]),
      ...[fieldsParameter(cls), IF_NONE_MATCH],
      ...(cls.history === undefined ? [] : [ACCEPT_DATETIME]),
    ],
    responses: {
      200: served('The member.', classRef(cls, ''), cls.history && { ...ETAG, ...PAST_HEADERS }),
      ...unchanged(cls.history && PAST_HEADERS),
      ...(cls.history && errors(410)),
      ...errors(400, 404, '4XX', '5XX'),
    },
  }
  const createAt = (method: string) => ({
    ...about(cls, 'create', 'Create', `at_${method}`),
    parameters: [{ ...IF_NEW, required: true }, PREFER],
    ...body(classRef(cls, '_input')),
    responses: { ...created(cls), ...errors(400, 404, 412, 415, 422, '4XX', '5XX') },
  })
  const put = (operation: string, summary: string) => (method: string) => ({
    ...about(cls, operation, summary, method),
    parameters: [IF_MATCH, ...(isSingle ? [] : [IF_NEW]), PREFER],
    ...body(classRef(cls, '_input')),
    responses: has('create') ? { ...created(cls), ...changed(cls) } : changed(cls),
  })
  const update = {
    ...about(cls, 'update', 'Update'),
    parameters: [IF_MATCH, PREFER],
    ...body(classRef(cls, '_patch'), ['application/merge-patch+json', PLAIN_JSON]),
    responses: changed(cls),
  }
  const remove = {
    ...about(cls, 'delete', 'Delete'),
    ...(takesOthers(cls, shown) && { description: removalWords(cls, shown) }),
    parameters: [IF_MATCH],
    responses: { ...noContent('Removed.', applied(MINIMAL)), ...errors(400, 404, 409, 412, '4XX', '5XX') },
  }
  return {
    ...(has('read') && { get: read }),
    ...(isSingle && byMethod(cls, 'create', put('create', 'Create'))),
    ...byMethod(cls, 'replace', put('replace', 'Replace')),
    ...Object.fromEntries(creatingAt(cls, shown).map((method) => [method.toLowerCase(), createAt(method)])),
    ...(has('update') && { patch: update }),
    ...(has('delete') && { delete: remove }),
  }
}

/** What the links to a class say about its removals, in words. */
function removalWords(cls: Class, { model }: Shown): string {
  const rules = (wanted: RemovalRule) =>
    storedClasses(model).flatMap((one) =>
      [...linksOf(one)]
        .filter(({ to, onDelete }) => to === cls.name && onDelete === wanted)
        .map(({ path }) => `\`${path}\` of ${one.title}`),
    )
  const [deleted, unset] = [rules('delete'), rules('unset')]
  return [
    deleted.length > 0 && `Members that link to it by ${deleted.join(', ')} are deleted too.`,
    unset.length > 0 && `The links to it in ${unset.join(', ')} are taken out.`,
    `All of it happens in one transaction, or nothing. GET \`${REMOVAL}\` below the member says which members these are.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The links of a class, also those within embedded values. */
function* linksOf(
  { properties }: Class,
  within = '',
): Generator<{ readonly path: string; readonly to: string; readonly onDelete: RemovalRule }> {
  for (const { name, range, onDelete } of properties) {
    if (range.kind === 'embedded') yield* linksOf(range.cls, `${within}${name}.`)
    else if (range.kind === 'link') yield { path: within + name, to: range.className, onDelete }
  }
}

/** A custom operation (library.md) returns a member, or a value without an address. */
function customOperation(operation: CustomOperation, cls: Class, { classes }: Model): Schema {
  const { name, title, expects, returns } = operation
  const [sent, answered] = [expects, returns].map((wanted) => classes.find((one) => one.name === wanted))
  return {
    operationId: `${name}_${keyOf(cls)}`,
    summary: title,
    tags: [cls.name],
    parameters: [IF_MATCH],
    ...(sent && body(classRef(sent, '_input'))),
    responses: {
      ...(answered && { 200: served('Carried out.', valueRef(answered), { ...ETAG, ...CONTENT_LOCATION }) }),
      ...noContent('Carried out.'),
      ...errors(400, 404, 412, 415, 422, '4XX', '5XX'),
    },
  }
}
