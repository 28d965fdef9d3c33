import type { ClassDescription, CollectionDescription, Member } from 'hydrant-client'
import { collectionTitle, useApi } from '../../shared/connection/index.ts'
import { Button, useCopying } from '../../shared/controls/index.ts'
import { hrefOf, shortName } from '../../shared/names.ts'
import { NamedLinks, PropertyValues } from './property-values.tsx'
import { firstLinks } from './representation.ts'

interface MemberLeadProps {
  readonly iri: string
  readonly cls: ClassDescription | undefined
  /** Its collection, if the user may list that. */
  readonly collection: CollectionDescription | undefined
}

export const MemberLead = ({ iri, cls, collection }: MemberLeadProps) => (
  <div class="lead">
    <p>
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
    <CopyAddress iri={iri} />
  </div>
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
      {member.etag && (
        <p class="hint member-version">
          Version <code>{member.etag.replaceAll('"', '')}</code>
        </p>
      )}
    </section>
  )
}

function CopyAddress({ iri }: { iri: string }) {
  const { shown, copy, said } = useCopying(iri)
  return (
    <p class="member-address row">
      <code ref={shown}>{iri}</code>
      <Button label="Copy address" class="quiet" onClick={copy} />
      <span class="hint" role="status">
        {said}
      </span>
    </p>
  )
}
