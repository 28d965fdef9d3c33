import { ApiError } from 'hydrant-client'
import type { ComponentChildren } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isOfKind, isReadable, type SignInRequest, sentenceOf } from '../../shared/connection/index.ts'
import { Button, duration, remaining, useNow } from '../../shared/controls/index.ts'
import { ApiSwitchContext } from './address-form.tsx'
import { isWrong, ParaphraseField, StaysField, UserField } from './sign-in-fields.tsx'

interface SignInFormProps {
  readonly request: SignInRequest
  /** Called instead of `request.answer` for another user than the one whom the page belongs to. */
  readonly onOtherUser?: SignInRequest['answer'] | undefined
  readonly about?: string
  /** More buttons. */
  readonly children?: ComponentChildren
}

/** The paraphrase is in its input and, once, in the answer: in no state, no storage and no address. */
export function SignInForm({ request, onOtherUser, about, children }: SignInFormProps) {
  const { error, busy } = request
  const [typedId, setId] = useState(request.id)
  const id = typedId.trim()
  const answerOther = id !== '' && id !== request.id ? onOtherUser : undefined
  const [stays, setStays] = useState(request.stays)
  const [isPadded, setPadded] = useState(false)
  const [shown, setShown] = useState(false)
  const names = useId()
  const { idField, paraphrase } = useFocus(request)
  const { end, wait } = useWait(request, id)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const field = paraphrase.current
    if (busy || wait > 0 || !field) return
    // Nobody should be able to read the paraphrase from the screen during the wait.
    setShown(false)
    setPadded(field.value !== field.value.trim())
    const answer = answerOther ?? request.answer
    answer({ id, paraphrase: field.value }, stays)
  }

  return (
    <form class="sign-in-form stack wide" onSubmit={submit} aria-busy={busy}>
      <div class="sign-in-error" id={`${names}error`} role="alert" data-past={busy}>
        {error !== undefined && (
          <p class="warning">
            {reasonOf(error, end, wait)}
            {isPadded && isWrong(error) && PADDED}
          </p>
        )}
      </div>
      {isWrong(error) && <Reasons />}
      <UserField field={idField} names={names} readOnly={busy} value={typedId} onValue={setId} />
      <ParaphraseField
        field={paraphrase}
        names={names}
        request={request}
        about={about}
        shown={shown}
        onShown={setShown}
      />
      <StaysField names={names} checked={stays} onChecked={setStays} />
      {answerOther && (
        <p class="warning" role="alert">
          This page belongs to user {request.id}. If you sign in as user {id}, unsaved changes on it are lost.
        </p>
      )}
      <div class="actions sign-in-actions">
        <Button type="submit" class="primary" busy={busy && 'Signing in …'} disabled={wait > 0}>
          Sign in
        </Button>
        {children}
      </div>
      {wait > 0 && <Wait wait={wait} />}
    </form>
  )
}

/** Focuses the first empty field, and the paraphrase again after an error. */
function useFocus({ id, error }: SignInRequest) {
  const idField = useRef<HTMLInputElement>(null)
  const paraphrase = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => (id ? paraphrase : idField).current?.focus(), [])
  // A layout effect: a later effect would clear what the user types after seeing the error.
  useLayoutEffect(() => {
    const field = paraphrase.current
    if (!error || !field) return
    // If the server did not check the paraphrase, it can be sent again.
    if (!isOfKind(error, 'unavailable', 'unreachable')) field.value = ''
    field.focus()
  }, [error])
  return { idField, paraphrase }
}

/** Until when the server refuses further attempts, and how many milliseconds are left. */
function useWait({ id, error, askedAt }: SignInRequest, typedId: string) {
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined
  const end = retryAfter === undefined ? 0 : askedAt + retryAfter * 1_000
  const left = end - useNow(end > 0)
  // The server may accept another user at once.
  return { end, wait: id === typedId ? Math.max(0, left) : 0 }
}

const Wait = ({ wait }: { wait: number }) => (
  <p class="hint">
    You can try again in{' '}
    <time role="timer" dateTime={duration(wait)}>
      {remaining(wait)}
    </time>
    .
  </p>
)

/** The API gives every caller the same answer (authentication.md), so that nobody can find out which users exist. */
const Reasons = () => (
  <div class="hint sign-in-reasons">
    <p>The API does not say which of these it was:</p>
    <ul class="bullets">
      <li>No user has this name or number.</li>
      <li>The passphrase is different, perhaps only in a capital letter or a space.</li>
      <li>The user was removed, or has a new passphrase.</li>
      <li>The user was added to another database.</li>
    </ul>
  </div>
)

const WRONG = 'The user or the passphrase is wrong.'

function reasonOf(error: unknown, end: number, wait: number): string {
  // The client's sentence has the word of the protocol.
  if (error instanceof ApiError && error.code === 'credentials-wrong') return WRONG
  if (error instanceof ApiError && isWrong(error)) return error.message
  if (end === 0 || !isOfKind(error, 'throttled')) return sentenceOf(error)
  const time = new Date(end).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  // A screen reader reads this out when the wait begins and when it is over; the seconds in between are only shown.
  return wait > 0 ? `Too many wrong passphrases: you can try again after ${time}.` : 'You can try again now.'
}

/** The paraphrase is sent as typed: a space may belong to it, or have been copied by accident. */
const PADDED = ' What you typed begins or ends with a space.'

export function Destination() {
  const { base, served } = useContext(ApiSwitchContext)
  const host = <strong>{new URL(base).host}</strong>
  return (
    <div class="stack">
      <p>
        <span class="visually-hidden">The address of the API is </span>
        <code>{base}</code>
      </p>
      {base !== served && (
        <p class="warning">This page was not served by this API. What you type here is sent to {host}.</p>
      )}
      {isReadable(base) && (
        <p class="warning">
          Plain http: anyone between you and {host} can read what you type. Use https if the API offers it.
        </p>
      )}
    </div>
  )
}
