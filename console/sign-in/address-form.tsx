import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { readAddress } from './address.ts'

interface AddressFormProps {
  readonly address: string
  readonly onAddress: (address: string) => void
  /** The focus goes here when it is shown. */
  readonly focused?: boolean
  /** Beside the button. */
  readonly actions?: ComponentChildren
}

/** Which API to look at. The address stays in memory: no link can lead to this page with an API of its own choice. */
export function AddressForm({ address, onAddress, focused = false, actions }: AddressFormProps) {
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    if (focused) field.current?.select()
  }, [])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const reading = readAddress(field.current?.value ?? '')
    if ('address' in reading) return onAddress(reading.address)
    setProblem(reading.problem)
    field.current?.focus()
  }

  return (
    <form class="address-form" onSubmit={submit} noValidate>
      <div class="field">
        <label for={id}>Address of the API</label>
        <input
          ref={field}
          id={id}
          class="input"
          type="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          defaultValue={address}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}problem`}
          onInput={() => setProblem('')}
        />
        <p id={`${id}problem`} class={problem ? 'violation' : 'hint'} role={problem ? 'alert' : undefined}>
          {problem || 'Any Hydra API that lets a page from elsewhere read it.'}
        </p>
      </div>
      <div class="actions">
        <button type="submit" class="button">
          Open
        </button>
        {actions}
      </div>
    </form>
  )
}
