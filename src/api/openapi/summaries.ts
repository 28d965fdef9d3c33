import { type CollectionClass, pathTo } from '../../vocabulary/index.ts'
import { createPaths } from '../query/path.ts'
import { FIGURES, type FigureName, MAX_FIGURES, MAX_GROUPS } from '../summaries/parameters.ts'
import { createSummaryPaths } from '../summaries/paths.ts'
import { collectionParameters, IF_NONE_MATCH, queryParameter } from './parameters.ts'
import { ETAG, errors, served, unchanged } from './responses.ts'
import {
  ADDRESS,
  COUNT,
  keyOf,
  listOf,
  objectOf,
  oneOf,
  type Schema,
  type Shown,
  schemaRef,
  TEXT,
} from './schemas.ts'

const FIGURE_OF: Readonly<Record<FigureName, string>> = {
  sum: 'Sums of the values at these paths.',
  avg: 'Averages of the values at these paths.',
  min: 'The least value at each of these paths.',
  max: 'The greatest value at each of these paths.',
}

/** Parameters of the collection that summaries lack, or read in another way. */
const OTHERS: readonly string[] = ['include', 'sort', 'after', 'before', 'group', ...FIGURES]

/** `{base}/summaries/{collection}` (asking.md, Summaries). */
export function summaryPath(cls: CollectionClass, shown: Shown): Record<string, Schema> {
  const { names } = createSummaryPaths(createPaths(cls, shown.queried))
  const isKept = ({ name }: Schema) => !OTHERS.includes(String(name)) && !String(name).startsWith('order[')
  const listed = (name: FigureName): Schema[] => {
    const known = names(name)
    if (known.length === 0) return []
    const description = `${FIGURE_OF[name]} For example: ${known.join(', ')}.`
    return [queryParameter(name, description, { ...listOf(TEXT), maxItems: MAX_FIGURES })]
  }
  const dates = names('date').map((name) => `${name}:month`)
  const get = {
    operationId: `summarize${keyOf(cls)}`,
    summary: `Count and add up ${cls.plural}, by groups`,
    description: `Every filter of ${pathTo(cls.collection)} works here, paths and alternatives included.`,
    tags: [cls.name],
    parameters: [
      queryParameter(
        'group',
        `Up to two paths, and dates by \`:year\`, \`:month\` or \`:day\`. For example: ${[...names('group'), ...dates].join(', ')}.`,
        { ...listOf(TEXT), maxItems: MAX_GROUPS },
      ),
      ...FIGURES.flatMap(listed),
      queryParameter(
        'sort',
        'By `count`, a group or a figure such as `sum.price`; descending with a minus. By group otherwise.',
        TEXT,
      ),
      ...collectionParameters(cls, shown).filter(isKept),
      IF_NONE_MATCH,
    ],
    responses: {
      200: served('A page of summaries.', schemaRef('summaries_page'), ETAG),
      ...unchanged(),
      ...errors(400, '4XX', '5XX'),
    },
  }
  return { [`/summaries${pathTo(cls.collection)}`]: { get } }
}

const NUMBER = { type: ['string', 'number', 'null'] }
const VALUE = { type: ['string', 'number', 'boolean', 'null'] }
const byPath = (value: Schema, description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: value,
})

export const SUMMARY_SCHEMAS: Readonly<Record<string, Schema>> = {
  summaries_page: objectOf(['@id', '@type', 'totalItems', 'member', 'view'], {
    '@context': schemaRef('json_ld_context'),
    '@id': ADDRESS,
    '@type': schemaRef('type_names'),
    memberAssertion: schemaRef('member_assertion'),
    totalItems: COUNT,
    member: listOf(schemaRef('group_summary')),
    view: schemaRef('page_view'),
    search: schemaRef('search_template'),
  }),
  group_summary: objectOf(['@type', 'group', 'count'], {
    '@type': oneOf(['Summary']),
    group: byPath(VALUE, 'What its members have, by path as it was sent; null where they have nothing.'),
    count: COUNT,
    sum: byPath(NUMBER, 'Exact decimals as text; doubles as numbers.'),
    avg: byPath(NUMBER, 'With up to 10 digits after the point.'),
    min: byPath(VALUE, 'The least values.'),
    max: byPath(VALUE, 'The greatest values.'),
    members: { ...ADDRESS, description: 'Its members; left out where no address can select just these.' },
  }),
}
