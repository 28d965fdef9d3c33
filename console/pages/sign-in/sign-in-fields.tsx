import type { RefObject } from 'preact'
import { useContext } from 'preact/hooks'
import { isOfKind, type SignInRequest } from '../../shared/connection/index.ts'
import { SecretInput } from '../../shared/controls/index.ts'
import { ApiSwitchContext } from './address-form.tsx'

interface FieldBasics {
  readonly field: RefObject<HTMLInputElement | null>
  /** What the ids of the form's elements begin with. */
  readonly names: string
}

interface UserFieldProps extends FieldBasics {
  readonly readOnly: boolean
  readonly value: string
  readonly onValue: (value: string) => void
}

export const UserField = ({ field, names, readOnly, value, onValue }: UserFieldProps) => (
  <div class="field">
    <label for={`${names}id`}>Name or number</label>
    <input
      ref={field}
      id={`${names}id`}
      class="input"
      name="username"
      autocomplete="username"
      autocapitalize="none"
      spellcheck={false}
      required
      readOnly={readOnly}
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  </div>
)

interface ParaphraseFieldProps extends FieldBasics {
  readonly request: SignInRequest
  readonly about: string | undefined
  readonly shown: boolean
  readonly onShown: (shown: boolean) => void
}

export function ParaphraseField({ field, names, request, about, shown, onShown }: ParaphraseFieldProps) {
  const { base, served } = useContext(ApiSwitchContext)
  return (
    <div class="field">
      <label for={`${names}paraphrase`}>Passphrase</label>
      <SecretInput
        field={field}
        shown={shown}
        onShown={onShown}
        id={`${names}paraphrase`}
        name="password"
        // A password that the browser has saved for this page belongs to the served API.
        autocomplete={base === served ? 'current-password' : 'new-password'}
        readOnly={request.busy}
        aria-invalid={isWrong(request.error)}
        aria-describedby={about ? `${names}error ${names}about` : `${names}error`}
      />
      {about && (
        <p class="hint" id={`${names}about`}>
          {about}
        </p>
      )}
    </div>
  )
}

interface StaysFieldProps extends Pick<FieldBasics, 'names'> {
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
}

export const StaysField = ({ names, checked, onChecked }: StaysFieldProps) => (
  <div class="field">
    <label class="form-check">
      <input
        type="checkbox"
        checked={checked}
        aria-describedby={`${names}stays`}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      Stay signed in on this tab
    </label>
    <p class="hint" id={`${names}stays`}>
      You stay signed in after a reload, until the token expires or you sign out. Until then, anyone who uses
      this tab acts as you. The passphrase is not stored.
    </p>
  </div>
)

export const isWrong = (error: unknown): boolean => isOfKind(error, 'credentials')
