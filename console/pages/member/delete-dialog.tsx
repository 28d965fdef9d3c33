import { ApiError, ConflictError, type Member } from 'hydrant-client'
import { useRef, useState } from 'preact/hooks'
import { isForbidden, isOfKind, sentenceOf } from '../../shared/connection/index.ts'
import { announce, Button, Dialog, useMounted } from '../../shared/controls/index.ts'
import { type IncomingGroup, linkedInWords } from './incoming.ts'
import { LinkedMember } from './property-values.tsx'

interface DeleteDialogProps {
  readonly member: Member
  readonly name: string
  readonly groups: readonly IncomingGroup[]
  readonly onDeleted: () => void
  readonly onClose: () => void
  /** Reads the page again, since the member has changed. */
  readonly onReload: () => void
}

export function DeleteDialog({ member, name, groups, onDeleted, onClose, onReload }: DeleteDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isMounted = useMounted()

  const remove = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await member.remove()
      onDeleted()
    } catch (failure) {
      if (!isMounted()) return announce(`${name} was not deleted. ${reasonOf(failure)}`)
      setBusy(false)
      setError(failure)
      cancel.current?.focus()
    }
  }
  const reload = () => {
    onClose()
    onReload()
  }
  const isChanged = error instanceof ConflictError || isOfKind(error, 'not-found')
  const isRefused = isForbidden(error) || (error instanceof ApiError && error.status === 409)
  const linked = linkedInWords(groups)
  return (
    <Dialog
      title={error === undefined ? `Delete “${name}”?` : `“${name}” was not deleted`}
      onCancel={onClose}
    >
      <div role="alert" class="delete-alert">
        {error !== undefined && (
          <div class="failure">
            <p>{reasonOf(error)}</p>
            {isLinked(error) && <LinkingMembers error={error} />}
          </div>
        )}
      </div>
      {error === undefined && linked && (
        <p class="warning">{linked} The API may refuse to delete a member that others link to.</p>
      )}
      {error === undefined && <p>This cannot be undone.</p>}
      <div class="actions">
        {/* A dialog focuses its first button, which should not be the one that cannot be undone. */}
        <Button label={isRefused ? 'Close' : 'Cancel'} ref={cancel} onClick={onClose} />
        {isChanged && <Button label="Reload" class="primary" onClick={reload} />}
        {!isChanged && !isRefused && (
          <Button label="Delete" busy={busy && 'Deleting …'} class="danger primary" onClick={remove} />
        )}
      </div>
    </Dialog>
  )
}

function reasonOf(error: unknown): string {
  if (isOfKind(error, 'not-found') || (error instanceof ConflictError && error.current === undefined))
    return 'Someone else has already deleted it.'
  if (error instanceof ConflictError)
    return 'Someone has changed it since you opened this page. Reload the page before you decide.'
  if (isLinked(error)) return 'Other members link to it and would be left with a link to nothing.'
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
