import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { ApiError, type Credentials } from '../../../src/client/index.ts'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'
import { useNow } from '../../shared/controls/now.ts'
import { duration, remaining } from '../../shared/controls/time-left.ts'
import { ParaphraseField } from './paraphrase-field.tsx'

interface SignInFormProps {
  /** Whose id is there already. */
  readonly id: string
  /** Why the last attempt failed, and when. */
  readonly error: unknown
  readonly askedAt: number
  readonly busy: boolean
  /** It goes to another API than the one that the page came with. */
  readonly isForeign: boolean
  readonly onSubmit: (credentials: Credentials) => void
  readonly onId?: (id: string) => void
  /** What a paraphrase is. */
  readonly about?: string
  /** Beside the button. */
  readonly actions?: ComponentChildren
  /** Above the button. */
  readonly children?: ComponentChildren
}

/** Who are you? The paraphrase is in its input and, once, in the answer: in no state, no store and no address. */
export function SignInForm(props: SignInFormProps) {
  const { error, askedAt, busy, isForeign, onSubmit, onId, about, actions, children } = props
  const [id, setId] = useState(props.id)
  const idField = useRef<HTMLInputElement>(null)
  const paraphrase = useRef<HTMLInputElement>(null)
  const [isPadded, setPadded] = useState(false)
  const names = useId()
  const wait = useWait(error, askedAt, id.trim() === props.id)

  useEffect(() => (id ? paraphrase : idField).current?.focus(), [])
  useEffect(() => {
    const field = paraphrase.current
    if (!error || !field) return
    if (!mayHaveBeenRight(error)) field.value = ''
    field.focus()
  }, [error])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const field = paraphrase.current
    if (busy || wait > 0 || !field) return
    setPadded(field.value !== field.value.trim())
    onSubmit({ id: id.trim(), paraphrase: field.value })
  }

  return (
    <form class="sign-in-form" onSubmit={submit} aria-busy={busy}>
      <div class="sign-in-error" id={`${names}error`} role="alert" data-past={busy}>
        {error !== undefined && (
          <p>
            {reasonOf(error, askedAt, wait)}
            {isPadded && isWrong(error) && PADDED}
          </p>
        )}
      </div>
      <div class="field">
        <label for={`${names}id`}>User id</label>
        <input
          ref={idField}
          id={`${names}id`}
          class="input"
          name="username"
          autocomplete="username"
          inputMode="numeric"
          required
          readOnly={busy}
          value={id}
          onInput={({ currentTarget }) => {
            setId(currentTarget.value)
            onId?.(currentTarget.value.trim())
          }}
        />
      </div>
      <ParaphraseField
        field={paraphrase}
        busy={busy}
        isForeign={isForeign}
        wrong={isWrong(error)}
        about={about}
        error={error === undefined ? undefined : `${names}error`}
      />
      {children}
      <div class="actions sign-in-actions">
        <button type="submit" class="button primary" disabled={wait > 0} aria-disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        {actions}
      </div>
      {wait > 0 && (
        <p class="hint">
          You can try again in{' '}
          <time role="timer" dateTime={duration(wait)}>
            {remaining(wait)}
          </time>
          .
        </p>
      )}
    </form>
  )
}

/** How long until the server wants to hear from this user again, counting down. */
function useWait(error: unknown, askedAt: number, isSameUser: boolean): number {
  const seconds = (error instanceof ApiError && error.retryAfter) || 0
  // Another user may be let in: the server decides.
  const waits = seconds > 0 && isSameUser
  const now = useNow(waits)
  return waits ? Math.max(0, askedAt + seconds * 1_000 - now) : 0
}

function reasonOf(error: unknown, askedAt: number, wait: number): string {
  if (!(error instanceof ApiError)) return sentenceOf(error)
  if (error.code === 'credentials') return error.message
  if (error.code !== 'throttled' || error.retryAfter === undefined) return sentenceOf(error)
  const end = new Date(askedAt + error.retryAfter * 1_000)
  const time = end.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  // Said once when it begins and once when it is over; the seconds in between are only shown.
  return wait > 0
    ? `Too many wrong paraphrases: no more are looked at before ${time}.`
    : 'You can try again now.'
}

/** It is sent as it was typed: blanks may be a part of it, or have come along with what was copied. */
const PADDED = ' What you typed begins or ends with a blank.'

const isWrong = (error: unknown): boolean => error instanceof ApiError && error.code === 'credentials'

/** The server did not look at it: what was typed can be sent again as it is. */
const mayHaveBeenRight = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'unavailable' || error.code === 'unreachable')
