import { ApiError, type ClassDescription, type CustomOperationDescription, type Member } from 'hydrant-client'
import { useState } from 'preact/hooks'
import {
  canChange,
  canList,
  canPut,
  classNamed,
  classOf,
  collectionHolding,
  collectionTitle,
  isAccountClass,
  isOfKind,
  offers,
  type RemoteChange,
  singleAt,
  useApi,
  useMember,
} from '../../shared/connection/index.ts'
import {
  announce,
  Button,
  Failure,
  Page,
  PageLink,
  RemoteChangeNote,
  Status,
  useMounted,
} from '../../shared/controls/index.ts'
import { addressBelow, hrefOf, replace } from '../../shared/names.ts'
import { AccountActions } from '../account/index.ts'
import { FormDialog } from '../form/index.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { useIncoming } from './incoming.ts'
import { IncomingLinks } from './incoming-links.tsx'
import { MemberLead, MemberProperties } from './member-sections.tsx'
import { PropertyValues } from './property-values.tsx'

export function MemberPage({ path }: { path: string }) {
  const { base, collections } = useApi()
  const address = addressBelow(base, path)
  const { value, error, remoteChange, busy, reload } = useMember(address, { isReloaded: true })
  if (value) return <MemberView {...value} path={path} remoteChange={remoteChange} onReload={reload} />
  if (isOfKind(error, 'not-found')) return <MissingMember path={path} error={error} />
  return (
    <Page title={collectionHolding(collections, address)?.memberClass?.title ?? 'Member'}>
      {busy ? <Status>Loading {address} …</Status> : <Failure error={error} onRetry={reload} />}
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
  // The API names the history of a member that was deleted to those who may see it.
  const isDeleted = error instanceof ApiError && error.history !== undefined
  return (
    <Page title={isDeleted ? `${title} was deleted` : `${title} not found`}>
      {isDeleted ? (
        <p>
          <Button label="History" class="primary" href={hrefOf({ page: 'history', path })} />
        </p>
      ) : (
        <Failure error={error} />
      )}
      <PageLink route={listed ? { page: 'table', name: listed.name } : { page: 'home' }}>
        Back to {listed ? collectionTitle(listed) : 'the overview'}
      </PageLink>
    </Page>
  )
}

interface MemberViewProps extends NonNullable<ReturnType<typeof useMember>['value']> {
  readonly path: string
  readonly remoteChange: RemoteChange | undefined
  readonly onReload: () => void
}

function MemberView({ member, name: label, operations, path, remoteChange, onReload }: MemberViewProps) {
  const api = useApi()
  const [isDeleting, setDeleting] = useState(false)
  const { call, dialog, result } = useOperationCall(member, onReload)
  const isMounted = useMounted()
  const cls = classOf(api, member)
  const collection = collectionHolding(api.collections, member.iri, cls)
  const isSingle = !collection && api.documentation.links.some(({ range }) => cls && range === cls.iri)
  // There is only one, so the name of its class is enough.
  const name = isSingle && cls ? cls.title : label
  const groups = useIncoming(member)
  const listed = collection && canList(collection) ? collection : undefined

  const deleted = () => {
    announce(`${name} was deleted.`)
    if (isMounted()) replace(listed ? { page: 'table', name: listed.name } : { page: 'home' })
  }
  const actions = (
    <>
      <RemoteChangeNote change={remoteChange} onReload={onReload} />
      <CustomOperations member={member} cls={cls} onCall={call} />
      {isAccountClass(api, cls) && <AccountActions {...{ member, name, operations, onReload }} />}
      {cls && hasHistory(member, cls) && <Button label="History" href={hrefOf({ page: 'history', path })} />}
      {canChange(operations) && <Button label="Edit" class="primary" href={hrefOf({ page: 'edit', path })} />}
      {offers(operations, 'DELETE') && (
        <Button label="Delete" class="danger" onClick={() => setDeleting(true)} />
      )}
    </>
  )
  return (
    <Page title={name} actions={actions}>
      <MemberLead cls={cls} collection={listed} />
      <div class="member-room">
        <div class="member">
          <MemberProperties member={member} cls={cls} />
          {result && (
            <section class="card" aria-label="Result">
              <PropertyValues data={result.data} cls={classOf(api, result)} at={result.iri} />
            </section>
          )}
          <IncomingLinks groups={groups} />
        </div>
      </div>
      {dialog}
      {isDeleting && (
        <DeleteDialog
          member={member}
          cls={cls}
          name={name}
          groups={groups}
          onDeleted={deleted}
          onClose={() => setDeleting(false)}
          onReload={onReload}
        />
      )}
    </Page>
  )
}

/** The member links to its history if this user may see it. */
const hasHistory = ({ data }: Member, { history }: ClassDescription): boolean =>
  history !== '' && data[history] !== undefined

interface CustomOperationsProps {
  readonly member: Member
  readonly cls: ClassDescription | undefined
  readonly onCall: (operation: CustomOperationDescription) => void
}

/** Buttons for the operations that this user may call: the member links to those. */
const CustomOperations = ({ member, cls, onCall }: CustomOperationsProps) => (
  <>
    {cls?.customOperations
      .filter(({ name }) => typeof member.data[name] === 'string')
      .map((operation) => (
        <Button key={operation.name} label={operation.title} onClick={() => onCall(operation)} />
      ))}
  </>
)

/** Calls an operation of the API's own. `result`: the resource that it returned, unless that is the member. */
function useOperationCall(member: Member, onReload: () => void) {
  const [called, setCalled] = useState<CustomOperationDescription>()
  const [result, setResult] = useState<Member>()
  const expected = classNamed(useApi(), called?.expects)
  const done = (answer: Member | undefined) => {
    announce(`${called?.title}: done.`)
    setCalled(undefined)
    setResult(answer?.iri === member.iri ? undefined : answer)
    onReload()
  }
  const dialog = called && (
    <FormDialog
      title={called.title}
      cls={expected}
      save={(values) => member.call(called.name, expected && values)}
      onSaved={done}
      onCancel={() => setCalled(undefined)}
    />
  )
  return { call: setCalled, dialog, result }
}
