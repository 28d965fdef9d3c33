import { useState } from 'preact/hooks'
import type { Connection } from '../../shared/connection/connection.ts'
import { AddressForm } from './address-form.tsx'
import { BackToServed } from './back-to-served.tsx'

interface OtherApiProps {
  readonly base: string
  readonly served: string
  readonly onOpened: (connection: Connection) => void
  readonly onBack: () => void
}

/** The way to another API, and back. */
export function OtherApi({ base, served, onOpened, onBack }: OtherApiProps) {
  const [open, setOpen] = useState(false)
  return (
    <div class="other-api">
      <div class="actions">
        <button type="button" class="button quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          Look at another API
        </button>
        <BackToServed base={base} served={served} onBack={onBack} quiet />
      </div>
      {open && <AddressForm address={base} onOpened={onOpened} focused />}
    </div>
  )
}
