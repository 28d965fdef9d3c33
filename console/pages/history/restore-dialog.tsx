import { ApiError, type ClassDescription, ConflictError, type MemberEntry } from 'hydrant-client'
import { useRef, useState } from 'preact/hooks'
import { isForbidden, isOfKind, sentenceOf } from '../../shared/connection/index.ts'
import { announce, Button, Dialog, useMounted } from '../../shared/controls/index.ts'
import { go, labelOf, titleOf } from '../../shared/names.ts'
import { momentText } from '../../shared/values.ts'

interface RestoreDialogProps {
  readonly entry: MemberEntry
  readonly name: string
  readonly cls: ClassDescription | undefined
  /** Of the member. */
  readonly path: string
  readonly onClose: () => void
  /** Reads the page again, since the member has changed. */
  readonly onReload: () => void
}

/** Asks, then makes the member what it was, and shows it. */
export function RestoreDialog({ entry, name, cls, path, onClose, onReload }: RestoreDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isMounted = useMounted()
  const restore = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await entry.restore()
      announce(`${name} was restored.`)
      if (isMounted()) go({ page: 'member', path })
    } catch (error) {
      if (!isMounted()) return announce(`${name} was not restored. ${reasonOf(error)}`)
      setBusy(false)
      setFailure(error)
      cancel.current?.focus()
    }
  }
  const reload = () => {
    onClose()
    onReload()
  }
  const isChanged = failure instanceof ConflictError || isOfKind(failure, 'not-found')
  const title = failure === undefined ? `Restore “${name}”?` : `“${name}” was not restored`
  return (
    <Dialog title={title} onCancel={onClose}>
      <div role="alert" class="delete-alert">
        {failure !== undefined && (
          <div class="failure">
            <p>{reasonOf(failure)}</p>
            <Violations error={failure} cls={cls} />
          </div>
        )}
      </div>
      {failure === undefined && (
        <p>
          It will be as it was on {momentText(entry.published)}. Its history stays, so this can be undone.
        </p>
      )}
      <div class="actions">
        <Button label="Cancel" ref={cancel} onClick={onClose} />
        {isChanged ? (
          <Button label="Reload" class="primary" onClick={reload} />
        ) : (
          !isForbidden(failure) && (
            <Button label="Restore" busy={busy && 'Restoring …'} class="primary" onClick={restore} />
          )
        )}
      </div>
    </Dialog>
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof ConflictError)
    return 'Someone has changed it since you opened this page. Reload the page before you decide.'
  return isOfKind(error, 'invalid') ? 'Some of its former values are no longer valid:' : sentenceOf(error)
}

/** Links that lead nowhere any more, and values that others have taken. */
function Violations({ error, cls }: { error: unknown; cls: ClassDescription | undefined }) {
  if (!(error instanceof ApiError) || error.violations.length === 0) return null
  const labelAt = (path: string) => {
    const property = cls?.properties.find(({ name }) => name === path)
    return property ? labelOf(property) : titleOf(path)
  }
  return (
    <ul class="bullets">
      {error.violations.map(({ propertyPath, message }) => (
        <li key={`${propertyPath} ${message}`}>
          {labelAt(propertyPath)} {message}
        </li>
      ))}
    </ul>
  )
}
