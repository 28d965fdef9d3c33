import { ApiError, type ClassDescription, ConflictError, type Member } from 'hydrant-client'
import { useRef, useState } from 'preact/hooks'
import { isForbidden, isOfKind, sentenceOf } from '../../shared/connection/index.ts'
import { announce, Button, Dialog, Status, useMounted } from '../../shared/controls/index.ts'
import { type IncomingGroup, linkedInWords } from './incoming.ts'
import { LinkedMember } from './property-values.tsx'
import { useRemoval } from './removal.ts'
import { RemovalList } from './removal-list.tsx'

interface DeleteDialogProps {
  readonly member: Member
  readonly cls: ClassDescription | undefined
  readonly name: string
  readonly groups: readonly IncomingGroup[]
  readonly onDeleted: () => void
  readonly onClose: () => void
  /** Reads the page again, since the member has changed. */
  readonly onReload: () => void
}

/** Says what else would be deleted or changed, then deletes. If the API would refuse that, the reason is shown at once. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { member, cls, name, groups, onDeleted, onClose, onReload } = props
  const removal = useRemoval(member, cls)
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const error = failure ?? (removal.busy ? undefined : removal.error)
  const isMounted = useMounted()

  const remove = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await member.remove()
      onDeleted()
    } catch (reason) {
      if (!isMounted()) return announce(`${name} was not deleted. ${reasonOf(reason, removal.isOffered)}`)
      setBusy(false)
      setFailure(reason)
      cancel.current?.focus()
    }
  }
  const reload = () => {
    onClose()
    onReload()
  }
  const isChanged = error instanceof ConflictError || isOfKind(error, 'not-found')
  const isRefused = isForbidden(error) || (error instanceof ApiError && error.status === 409)
  // Where the API says what a removal does, it has also said whether it would refuse it.
  const linked = removal.isOffered ? undefined : linkedInWords(groups)
  const isUnknown = failure === undefined && error !== undefined && !isChanged && !isRefused
  return (
    <Dialog title={titleOf(name, failure, isUnknown ? undefined : error)} onCancel={onClose}>
      <div role="alert" class="delete-alert">
        {error !== undefined && (
          <div class="failure">
            <p>{reasonOf(error, removal.isOffered)}</p>
            {isLinked(error) && <LinkingMembers error={error} />}
          </div>
        )}
      </div>
      {error === undefined && linked && (
        <p class="warning">{linked} The API may refuse to delete a member that others link to.</p>
      )}
      {removal.isOffered && (
        <Status class="delete-others">{removal.busy && 'Looking for what would be deleted with it …'}</Status>
      )}
      {error === undefined && removal.value && <RemovalList removal={removal.value} />}
      {error === undefined && (
        <p>
          Nothing has been deleted yet.{' '}
          {cls?.history ? 'Its history stays, so it can be restored.' : 'Deleting cannot be undone.'}
        </p>
      )}
      <div class="actions">
        {/* A dialog focuses its first button, which should not be the one that cannot be undone. */}
        <Button label={isRefused ? 'Close' : 'Cancel'} ref={cancel} onClick={onClose} />
        {isChanged && <Button label="Reload" class="primary" onClick={reload} />}
        {isUnknown && <Button label="Try again" onClick={removal.reload} />}
        {!isChanged && !isRefused && !isUnknown && (
          <Button
            label="Delete"
            busy={removal.busy ? 'Delete' : busy && 'Deleting …'}
            class="danger primary"
            onClick={remove}
          />
        )}
      </div>
    </Dialog>
  )
}

function titleOf(name: string, failure: unknown, error: unknown): string {
  if (failure !== undefined) return `“${name}” was not deleted`
  return error === undefined ? `Delete “${name}”?` : `“${name}” cannot be deleted`
}

/** `takesOthers`: members that link to it may be deleted with it, and others may link to those. */
function reasonOf(error: unknown, takesOthers: boolean): string {
  if (isOfKind(error, 'not-found') || (error instanceof ConflictError && error.current === undefined))
    return 'Someone else has already deleted it.'
  if (error instanceof ConflictError)
    return 'Someone has changed it since you opened this page. Reload the page before you decide.'
  if (isLinked(error)) {
    const others = takesOthers ? 'it, or to one that would be deleted with it,' : 'it'
    return `Other members link to ${others} and would be left with a link to nothing.`
  }
  return sentenceOf(error)
}

const isLinked = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.linkedFrom.length > 0

/** Each name that is not known yet takes a request, and other APIs may send any number of addresses. */
const MOST_LISTED = 10

function LinkingMembers({ error: { linkedFrom, hasFurtherLinks } }: { error: ApiError }) {
  const isPartial = hasFurtherLinks || linkedFrom.length > MOST_LISTED
  return (
    <>
      <ul class="bullets">
        {linkedFrom.slice(0, MOST_LISTED).map((iri) => (
          <li key={iri}>
            <LinkedMember iri={iri} />
          </li>
        ))}
      </ul>
      {isPartial && <p>There are more, and you may not be allowed to see all of them.</p>}
    </>
  )
}
