import { classIri, ownKey, vocabIri } from '../contexts/contexts.ts'
import type { Class, Model } from '../model.ts'
import { AS, CHANGED, HISTORIES, HISTORY, RESTORE, XSD } from '../names.ts'
import type { Describe } from '../operations.ts'
import { supportedProperty } from './supported-property.ts'

/** The link of a member to its history (history.md). */
export const historyLink = (cls: Class, base: string): object =>
  supportedProperty(
    ownKey(cls, HISTORY, base),
    { required: false, writable: false },
    {
      '@id': vocabIri(base, HISTORY),
      '@type': 'Link',
      label: HISTORY,
      domainIncludes: classIri(cls, base),
      range: vocabIri(base, HISTORIES),
      'owl:maxCardinality': 1,
    },
  )

/**
 * The class of histories, and that of the changes in them; none where no class keeps one. It is no subclass of Collection,
 * since clients would list it among the others.
 */
export function historyClasses({ classes }: Model, base: string, describe: Describe): DescribedHistory[] {
  if (classes.every(({ history }) => history === undefined)) return []
  const iri = vocabIri(base, HISTORIES)
  const entry = `${AS}Activity`
  const about = { method: 'GET', title: 'List changes', returns: iri }
  const restore = { method: 'POST', title: 'Restore', expects: 'owl:Nothing', returns: 'hydra:Resource' }
  const property = (name: string, id: string, more: object) =>
    supportedProperty(name, { required: false, writable: false }, { '@id': id, label: name, ...more })
  return [
    {
      '@id': iri,
      '@type': 'Class',
      title: 'History',
      description: 'What a member was: its changes, newest first, page by page',
      supportedOperation: [describe('get', 'FindAction', about)],
    },
    {
      '@id': entry,
      '@type': 'Class',
      title: 'Change',
      description: 'Who changed a member, when and what; at its address is the member as it was then',
      supportedProperty: [
        property('published', `${AS}published`, { '@type': 'rdf:Property', range: `${XSD}dateTime` }),
        property('actor', `${AS}actor`, { '@type': 'Link', range: 'hydra:Resource' }),
        property('changed', vocabIri(base, CHANGED), {
          '@type': 'rdf:Property',
          // As the term in the context has it.
          label: 'history/changed',
          range: 'xsd:string',
        }),
        property(RESTORE, vocabIri(base, RESTORE), {
          '@type': 'Link',
          range: 'hydra:Resource',
          supportedOperation: [describe(RESTORE, 'Action', restore)],
        }),
      ],
    },
  ]
}

interface DescribedHistory {
  readonly '@id': string
  readonly [key: string]: unknown
}
