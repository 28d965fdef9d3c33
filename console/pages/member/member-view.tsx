import { useMemo, useRef, useState } from 'preact/hooks'
import type { Member, Operation } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { announce } from '../../shared/controls/announcement.ts'
import { Button } from '../../shared/controls/button.tsx'
import { useCopying } from '../../shared/controls/copying.ts'
import { useShown } from '../../shared/controls/mounted.ts'
import { Page } from '../../shared/controls/page.tsx'
import { classOf, useRemembering } from '../../shared/names/member-names.ts'
import { capitalised, inWords, nameOf, shortName } from '../../shared/names/naming.ts'
import { hrefOf, replace } from '../../shared/routes.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { useIncoming } from './incoming.ts'
import { IncomingLinks } from './incoming-links.tsx'
import { NamedLinks, PropertyValues } from './property-values.tsx'
import { collectionHolding, firstLinks } from './representation.ts'

interface MemberViewProps {
  readonly member: Member
  readonly operations: readonly Operation[]
  /** Below the API's base. */
  readonly path: string
  readonly onLookAgain: () => void
}

/** Those of a long list, and a few more. */
const MOST_NAMES = 12
const CHANGING = ['PATCH', 'PUT', 'POST']

/** A member that has been read. */
export function MemberView({ member, operations, path, onLookAgain }: MemberViewProps) {
  const { documentation, collections } = useApi()
  const [isAsking, setAsking] = useState(false)
  const isShown = useShown()
  const cls = classOf({ documentation, collections }, member)
  const collection = collectionHolding(collections, member.iri, cls)
  const isSingle = !collection && documentation.links.some(({ range }) => cls && range === cls.iri)
  // What there is only one of is known by what it is.
  const name = isSingle && cls ? cls.title : nameOf(member, cls)
  const groups = useIncoming(member)
  const read = useMemo(() => [member], [member])
  useRemembering(read, cls)
  const named = useMemo(
    () => firstLinks(member.data, cls, documentation.classes, member.iri, MOST_NAMES),
    [member, cls, documentation],
  )
  const can = (methods: readonly string[]): boolean =>
    operations.some(({ method }) => methods.includes(method))
  const table = collection && ({ page: 'table', name: collection.name, query: '' } as const)

  const deleted = () => {
    announce(`${name} was deleted.`)
    // Back would lead to what is not there any more.
    if (isShown()) replace(table ?? { page: 'home' })
  }
  const actions = (
    <>
      {can(CHANGING) && (
        <a class="button primary" href={hrefOf({ page: 'edit', path })}>
          Edit
        </a>
      )}
      {can(['DELETE']) && (
        <Button class="danger" onClick={() => setAsking(true)}>
          Delete
        </Button>
      )}
    </>
  )
  return (
    <Page title={name} actions={actions}>
      <div class="member-about">
        <p>
          {cls ? (
            <a href={hrefOf({ page: 'documentation', name: shortName(cls.iri) })}>{cls.title}</a>
          ) : (
            'A member that the documentation does not describe'
          )}
          {table && (
            <>
              {' in '}
              <a href={hrefOf(table)}>{capitalised(inWords(table.name))}</a>
            </>
          )}
        </p>
        <CopyAddress iri={member.iri} />
      </div>
      <div class="member-room">
        <div class="member">
          <section class="card" aria-label="Properties">
            <NamedLinks.Provider value={named}>
              <PropertyValues data={member.data} cls={cls} at={member.iri} />
            </NamedLinks.Provider>
            {member.etag && (
              <p class="hint member-version">
                Version <code>{member.etag.replaceAll('"', '')}</code>
              </p>
            )}
          </section>
          <IncomingLinks groups={groups} />
        </div>
      </div>
      {isAsking && (
        <DeleteDialog
          member={member}
          name={name}
          groups={groups}
          onDeleted={deleted}
          onClose={() => setAsking(false)}
          onLookAgain={onLookAgain}
        />
      )}
    </Page>
  )
}

/** The address of a member, to be used elsewhere. */
export function CopyAddress({ iri }: { readonly iri: string }) {
  const text = useRef<HTMLElement>(null)
  const { copy, said } = useCopying(iri, text)
  return (
    <p class="member-address">
      <code ref={text}>{iri}</code>
      <Button class="quiet" onClick={copy}>
        Copy address
      </Button>
      <span class="hint" role="status">
        {said}
      </span>
    </p>
  )
}
