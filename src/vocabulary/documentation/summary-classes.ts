import { vocabIri } from '../contexts/contexts.ts'
import { hasCollection, type Model } from '../model.ts'
import { SUMMARIES, SUMMARY } from '../names.ts'
import type { Describe } from '../operations.ts'

const JSON_VALUE = 'rdf:JSON'

/** The properties of a summary, with their ranges; all but the first two only where they are asked for. */
const PROPERTIES = {
  group: JSON_VALUE,
  count: 'xsd:integer',
  sum: JSON_VALUE,
  avg: JSON_VALUE,
  min: JSON_VALUE,
  max: JSON_VALUE,
  members: 'hydra:Collection',
} as const

/**
 * The classes of `{base}/summaries/{collection}` (asking.md, Summaries). Their IRIs begin in lower case, so that an API file
 * may have a class of the same name; and neither is a subclass of Collection, since clients would list it among the others.
 */
export function summaryClasses({ classes }: Pick<Model, 'classes'>, base: string, describe: Describe) {
  if (!classes.some((cls) => hasCollection(cls) && cls.operations.has('list'))) return []
  const [iri, summaryIri] = [vocabIri(base, SUMMARIES), vocabIri(base, SUMMARY)]
  const about = { method: 'GET', title: 'Count and add up members, by groups', returns: iri }
  return [
    {
      '@id': iri,
      '@type': 'Class',
      title: 'Summaries',
      description:
        'A collection of summaries, at {base}/summaries/{collection}. The query takes group, sum, avg, min, max, ' +
        'the filters of the collection, sort, page and itemsPerPage',
      supportedOperation: [describe('get', 'FindAction', about)],
    },
    {
      '@id': summaryIri,
      '@type': 'Class',
      title: 'Summary',
      description: 'How many members of a collection have the same values, and figures of what they have',
      supportedProperty: Object.entries(PROPERTIES).map(([name, range]) => ({
        '@type': 'SupportedProperty',
        title: name,
        required: name === 'group' || name === 'count',
        readable: true,
        writable: false,
        writeable: false,
        property: {
          '@id': vocabIri(base, name),
          '@type': name === 'members' ? 'Link' : 'rdf:Property',
          label: name,
          domain: summaryIri,
          range,
        },
      })),
    },
  ]
}
