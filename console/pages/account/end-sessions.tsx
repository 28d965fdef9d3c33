import { useState } from 'preact/hooks'
import { sentenceOf } from '../../shared/connection/index.ts'
import { Button, Dialog } from '../../shared/controls/index.ts'

interface EndSessionsProps {
  readonly title: string
  readonly children: string
  readonly end: () => Promise<void>
  readonly onEnded: () => void
}

/** A button that ends all tokens of a user, after a question. */
export function EndSessions({ title, children, end, onEnded }: EndSessionsProps) {
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const confirm = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await end()
      setAsking(false)
      onEnded()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button label="Sign out everywhere" class="danger" onClick={() => setAsking(true)} />
      {isAsking && (
        <Dialog title={title} onCancel={() => setAsking(false)}>
          <div role="alert">{failure !== undefined && <p class="failure">{sentenceOf(failure)}</p>}</div>
          <p>{children}</p>
          <div class="actions">
            <Button label="Cancel" onClick={() => setAsking(false)} />
            <Button
              label="Sign out everywhere"
              class="danger primary"
              busy={busy && 'Signing out …'}
              onClick={confirm}
            />
          </div>
        </Dialog>
      )}
    </>
  )
}
