import { useState } from 'preact/hooks'
import { AddressForm } from './address-form.tsx'

interface OtherApiProps {
  readonly base: string
  readonly served: string
  readonly onAddress: (address: string) => void
}

/** The way to another API, and back. */
export function OtherApi({ base, served, onAddress }: OtherApiProps) {
  const [open, setOpen] = useState(false)
  return (
    <div class="other-api">
      <div class="actions">
        <button type="button" class="button quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          Look at another API
        </button>
        {served !== '' && base !== served && (
          <button type="button" class="button quiet" onClick={() => onAddress(served)}>
            Back to {served}
          </button>
        )}
      </div>
      {open && <AddressForm address={base} onAddress={onAddress} focused />}
    </div>
  )
}
