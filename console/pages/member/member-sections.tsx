import type { ClassDescription, CollectionDescription, Member } from 'hydrant-client'
import { collectionTitle, useApi } from '../../shared/connection/index.ts'
import { Button, useCopying } from '../../shared/controls/index.ts'
import { hrefOf, shortName } from '../../shared/names.ts'
import { NamedLinks, PropertyValues } from './property-values.tsx'
import { firstLinks } from './representation.ts'

interface MemberLeadProps {
  readonly cls: ClassDescription | undefined
  /** Its collection, if the user may list that. */
  readonly collection: CollectionDescription | undefined
}

export const MemberLead = ({ cls, collection }: MemberLeadProps) => (
  <p class="lead member-lead">
    {cls ? (
      <a href={hrefOf({ page: 'documentation', name: shortName(cls.iri) })}>{cls.title}</a>
    ) : (
      'A member that the documentation does not describe'
    )}
    {collection && (
      <>
        {' in '}
        <a href={hrefOf({ page: 'table', name: collection.name })}>{collectionTitle(collection)}</a>
      </>
    )}
  </p>
)

/** How many linked members are read for their names: those of a long list, and a few more. */
const MOST_NAMES = 12

export function MemberProperties({ member, cls }: { member: Member; cls: ClassDescription | undefined }) {
  const { classes } = useApi().documentation
  return (
    <section class="card" aria-label="Properties">
      <NamedLinks.Provider value={firstLinks(member, cls, classes, MOST_NAMES)}>
        <PropertyValues data={member.data} cls={cls} at={member.iri} />
      </NamedLinks.Provider>
      <MemberDetails {...member} />
    </section>
  )
}

/** Of interest to programs, and to people who report a problem. */
function MemberDetails({ iri, etag }: Pick<Member, 'iri' | 'etag'>) {
  const { shown, copy, said } = useCopying(iri)
  return (
    <details class="member-details">
      <summary>Details</summary>
      <p class="member-address row">
        Address <code ref={shown}>{iri}</code>
        <Button label="Copy address" class="quiet" onClick={copy} />
        <span class="hint" role="status">
          {said}
        </span>
      </p>
      {etag && (
        <p>
          Version <code>{etag.replaceAll('"', '')}</code>
        </p>
      )}
    </details>
  )
}
