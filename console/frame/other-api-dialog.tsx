import { useId } from 'preact/hooks'
import { AddressForm } from '../pages/sign-in/address-form.tsx'
import { BackToServed } from '../pages/sign-in/back-to-served.tsx'
import { useApi } from '../shared/api.ts'
import type { Connection } from '../shared/connection/connection.ts'
import { useModal } from '../shared/controls/modal.ts'
import { useStore } from '../shared/store.ts'

interface OtherApiDialogProps {
  readonly served: string
  /** There is an API where one wants to go. */
  readonly onOpened: (connection: Connection) => void
  readonly onBack: () => void
  readonly onClose: () => void
}

/** From one API to another; whoever is signed in at this one is signed out. */
export function OtherApiDialog({ served, onOpened, onBack, onClose }: OtherApiDialogProps) {
  const { base, signedIn } = useApi()
  const session = useStore(signedIn)
  const dialog = useModal()
  const title = useId()
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={title} onCancel={onClose}>
      <div class="dialog-content">
        <h2 id={title}>Look at another API</h2>
        {session && <p>You will be signed out of this one, and its token revoked.</p>}
        <AddressForm
          address={base}
          onOpened={onOpened}
          focused
          actions={
            <>
              <BackToServed base={base} served={served} onBack={onBack} />
              <button type="button" class="button quiet" onClick={onClose}>
                Cancel
              </button>
            </>
          }
        />
      </div>
    </dialog>
  )
}
