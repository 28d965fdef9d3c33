import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { ApiError, ConflictError, type Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { announce } from '../../shared/controls/announcement.ts'
import { Button } from '../../shared/controls/button.tsx'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'
import { useShown } from '../../shared/controls/mounted.ts'
import { useKnownNames } from '../../shared/names/member-names.ts'
import { shortName } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import { type IncomingGroup, linkedInWords } from './incoming.ts'
import { splitAddresses } from './representation.ts'

interface DeleteDialogProps {
  readonly member: Member
  readonly name: string
  /** What links to it, as far as it is known. */
  readonly groups: readonly IncomingGroup[]
  readonly onDeleted: () => void
  readonly onClose: () => void
  /** Somebody has changed it: what is shown is not what is there. */
  readonly onLookAgain: () => void
}

/** Asks before something is gone for good. */
export function DeleteDialog({ member, name, groups, onDeleted, onClose, onLookAgain }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const title = useId()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isShown = useShown()
  useEffect(() => {
    dialog.current?.showModal()
    // Not on what cannot be undone.
    cancel.current?.focus()
  }, [])
  // Closed, and only then taken away: so the focus goes back to where it came from.
  const close = () => dialog.current?.close()

  const remove = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await member.remove()
      onDeleted()
    } catch (failure) {
      if (!isShown()) return announce(`${name} was not deleted. ${sentenceAbout(failure)}`)
      setBusy(false)
      setError(failure)
      cancel.current?.focus()
    }
  }
  const lookAgain = () => {
    close()
    onLookAgain()
  }
  const isChanged = error instanceof ConflictError || isGone(error)
  const linked = linkedInWords(groups)
  const isRefused = error instanceof ApiError && error.status === 409
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={title} onClose={onClose}>
      <div class="dialog-content">
        <h2 id={title}>{error === undefined ? `Delete “${name}”?` : `“${name}” was not deleted`}</h2>
        <div role="alert">
          {error !== undefined && (
            <p class="failure delete-failure">
              <LinkedSentence text={sentenceAbout(error)} />
            </p>
          )}
        </div>
        {error === undefined && linked && (
          <p class="warning">{linked} The API may refuse to delete what others link to.</p>
        )}
        {error === undefined && <p>This cannot be undone.</p>}
        <div class="actions">
          <button type="button" class="button" ref={cancel} onClick={close}>
            {isRefused ? 'Close' : 'Cancel'}
          </button>
          {isChanged ? (
            <Button class="primary" onClick={lookAgain}>
              Look again
            </Button>
          ) : (
            !isRefused && (
              <Button class="danger primary" aria-disabled={busy} onClick={busy ? undefined : remove}>
                {busy ? 'Deleting …' : 'Delete'}
              </Button>
            )
          )}
        </div>
      </div>
    </dialog>
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not-found'

function sentenceAbout(error: unknown): string {
  if (isGone(error) || (error instanceof ConflictError && error.current === undefined))
    return 'Somebody else has deleted it meanwhile.'
  if (error instanceof ConflictError)
    return 'Somebody has changed it since you opened this page. Nothing was deleted: look again, then decide.'
  return sentenceOf(error)
}

/** A sentence of the API, in which the members that it names by their addresses are links. */
export function LinkedSentence({ text }: { readonly text: string }) {
  const { base } = useApi()
  const names = useKnownNames()
  return (
    <span>
      {splitAddresses(text).map((part, index) => {
        const path = pathBelow(base, part)
        if (path === undefined) return part
        return (
          <a key={String(index)} href={hrefOf({ page: 'member', path })} title={part}>
            {names.get(part) ?? shortName(part)}
          </a>
        )
      })}
    </span>
  )
}
