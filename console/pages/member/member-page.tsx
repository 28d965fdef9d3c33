import type { CustomOperationDescription, Member } from 'hydrant-client'
import { useState } from 'preact/hooks'
import {
  canChange,
  canList,
  canPut,
  classNamed,
  classOf,
  collectionHolding,
  isOfKind,
  offers,
  singleAt,
  useApi,
  useMember,
} from '../../shared/connection/index.ts'
import {
  announce,
  Button,
  Failure,
  OtherNote,
  Page,
  Status,
  useCopying,
  useMounted,
  WayTo,
} from '../../shared/controls/index.ts'
import { addressBelow, hrefOf, nameOf, replace, shortName, titleOf } from '../../shared/names.ts'
import { FormDialog } from '../form/index.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { useIncoming } from './incoming.ts'
import { IncomingLinks } from './incoming-links.tsx'
import { NamedLinks, PropertyValues } from './property-values.tsx'
import { firstLinks } from './representation.ts'

export function MemberPage({ path }: { path: string }) {
  const { base, collections } = useApi()
  const address = addressBelow(base, path)
  const { value, error, other, busy, reload } = useMember(address, { isReloaded: true })
  if (value) return <MemberView {...value} path={path} other={other} onLookAgain={reload} />
  if (isOfKind(error, 'not-found')) return <MissingMember path={path} error={error} />
  return (
    <Page title={collectionHolding(collections, address)?.memberClass?.title ?? 'Member'}>
      {busy ? <Status>Reading {address} …</Status> : <Failure error={error} onRetry={reload} />}
    </Page>
  )
}

function MissingMember({ path, error }: { path: string; error: unknown }) {
  const api = useApi()
  const address = addressBelow(api.base, path)
  const collection = collectionHolding(api.collections, address)
  const single = singleAt(api, address)
  const cls = collection?.memberClass ?? classNamed(api, single?.range)
  const title = cls?.title ?? 'Member'
  const listed = collection && canList(collection) ? collection : undefined
  if (canPut(single))
    return (
      <Page title={title}>
        <p>It does not exist yet.</p>
        <p>
          <Button label="Create it" class="primary" href={hrefOf({ page: 'edit', path })} />
        </p>
      </Page>
    )
  return (
    <Page title={`${title} not found`}>
      <Failure error={error} />
      <WayTo route={listed ? { page: 'table', name: listed.name } : { page: 'home' }}>
        Back to {listed ? titleOf(listed.name) : 'the overview'}
      </WayTo>
    </Page>
  )
}

interface MemberViewProps extends NonNullable<ReturnType<typeof useMember>['value']> {
  readonly path: string
  /** What others have done to it meanwhile. */
  readonly other: string | undefined
  readonly onLookAgain: () => void
}

/** Those of a long list, and a few more. */
const MOST_NAMES = 12

function MemberView({ member, operations, path, other, onLookAgain }: MemberViewProps) {
  const api = useApi()
  const { documentation, collections } = api
  const [isAsking, setAsking] = useState(false)
  const [called, setCalled] = useState<CustomOperationDescription>()
  const expected = classNamed(api, called?.expects)
  const [answered, setAnswered] = useState<Member>()
  const isMounted = useMounted()
  const cls = classOf(api, member)
  const collection = collectionHolding(collections, member.iri, cls)
  const isSingle = !collection && documentation.links.some(({ range }) => cls && range === cls.iri)
  // A single resource is known by its class.
  const name = isSingle && cls ? cls.title : nameOf(member, cls)
  const groups = useIncoming(member)
  const named = firstLinks(member, cls, documentation.classes, MOST_NAMES)
  const table = collection && canList(collection) && ({ page: 'table', name: collection.name } as const)

  const deleted = () => {
    announce(`${name} was deleted.`)
    if (isMounted()) replace(table || { page: 'home' })
  }
  const done = (answer: Member | undefined) => {
    announce(`${called?.title}: done.`)
    setCalled(undefined)
    setAnswered(answer?.iri === member.iri ? undefined : answer)
    onLookAgain()
  }
  const actions = (
    <>
      <OtherNote other={other} onReload={onLookAgain} />
      {cls?.customOperations
        // The member links to those that this user may carry out.
        .filter((operation) => typeof member.data[operation.name] === 'string')
        .map((operation) => (
          <Button key={operation.name} label={operation.title} onClick={() => setCalled(operation)} />
        ))}
      {canChange(operations) && <Button label="Edit" class="primary" href={hrefOf({ page: 'edit', path })} />}
      {offers(operations, 'DELETE') && (
        <Button label="Delete" class="danger" onClick={() => setAsking(true)} />
      )}
    </>
  )
  return (
    <Page title={name} actions={actions}>
      <div class="lead">
        <p>
          {cls ? (
            <a href={hrefOf({ page: 'documentation', name: shortName(cls.iri) })}>{cls.title}</a>
          ) : (
            'A member that the documentation does not describe'
          )}
          {table && (
            <>
              {' in '}
              <a href={hrefOf(table)}>{titleOf(table.name)}</a>
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
          {answered && (
            <section class="card" aria-label="Answer">
              <PropertyValues data={answered.data} cls={classOf(api, answered)} at={answered.iri} />
            </section>
          )}
          <IncomingLinks groups={groups} />
        </div>
      </div>
      {called && (
        <FormDialog
          title={called.title}
          cls={expected}
          save={(values) => member.call(called.name, expected && values)}
          onSaved={done}
          onCancel={() => setCalled(undefined)}
        />
      )}
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
