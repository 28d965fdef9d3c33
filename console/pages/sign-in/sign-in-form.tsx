import { ApiError } from 'hydrant-client'
import type { ComponentChildren } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isOfKind, isReadable, type Question, sentenceOf } from '../../shared/connection/index.ts'
import { Button, duration, remaining, useNow } from '../../shared/controls/index.ts'
import { ApiSwitchContext } from './address-form.tsx'

interface SignInFormProps {
  readonly question: Question
  /** Answers instead, for another user than the one whom the page belongs to. */
  readonly onOtherUser?: Question['answer'] | undefined
  readonly about?: string
  /** More buttons. */
  readonly children?: ComponentChildren
}

/** The paraphrase is in its input and, once, in the answer: in no state, no store and no address. */
export function SignInForm({ question, onOtherUser, about, children }: SignInFormProps) {
  const { base, served } = useContext(ApiSwitchContext)
  const { error, askedAt, busy } = question
  const [typedId, setId] = useState(question.id)
  const id = typedId.trim()
  const answerOther = id !== '' && id !== question.id ? onOtherUser : undefined
  const [stays, setStays] = useState(question.stays)
  const idField = useRef<HTMLInputElement>(null)
  const paraphrase = useRef<HTMLInputElement>(null)
  const [isPadded, setPadded] = useState(false)
  const names = useId()
  const [shown, setShown] = useState(false)
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined
  const end = retryAfter === undefined ? 0 : askedAt + retryAfter * 1_000
  const left = end - useNow(end > 0)
  // Another user may be let in: the server decides.
  const wait = id === question.id ? Math.max(0, left) : 0

  useLayoutEffect(() => (id ? paraphrase : idField).current?.focus(), [])
  // A layout effect: once the sentence is seen, the next paraphrase can be typed, which a later effect would clear.
  useLayoutEffect(() => {
    const field = paraphrase.current
    if (!error || !field) return
    // A server that did not look at the paraphrase can be sent it again as it is.
    if (!isOfKind(error, 'unavailable', 'unreachable')) field.value = ''
    field.focus()
  }, [error])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const field = paraphrase.current
    if (busy || wait > 0 || !field) return
    // The paraphrase is not to be read from the screen during the wait.
    setShown(false)
    setPadded(field.value !== field.value.trim())
    const answer = answerOther ?? question.answer
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
          value={typedId}
          onInput={({ currentTarget }) => setId(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={`${names}paraphrase`}>Paraphrase</label>
        <div class="sign-in-paraphrase">
          <input
            ref={paraphrase}
            id={`${names}paraphrase`}
            class="input"
            {...(shown ? { type: 'text' } : { type: 'password' })}
            name="password"
            // What the browser has saved for this page belongs to the served API, and fills in no other form.
            autocomplete={base === served ? 'current-password' : 'new-password'}
            autocapitalize="none"
            spellcheck={false}
            required
            readOnly={busy}
            aria-invalid={isWrong(error)}
            aria-describedby={about ? `${names}error ${names}about` : `${names}error`}
          />
          <Button label="Show" class="quiet" aria-pressed={shown} onClick={() => setShown(!shown)} />
        </div>
        {about && (
          <p class="hint" id={`${names}about`}>
            {about}
          </p>
        )}
      </div>
      <div class="field">
        <label class="form-check">
          <input
            type="checkbox"
            checked={stays}
            aria-describedby={`${names}stays`}
            onChange={({ currentTarget }) => setStays(currentTarget.checked)}
          />
          Stay signed in in this tab
        </label>
        <p class="hint" id={`${names}stays`}>
          A reload does not ask again until the token ends or you sign out. Everybody who uses this tab until
          then acts as you. The paraphrase is not kept.
        </p>
      </div>
      {answerOther && (
        <p class="warning" role="alert">
          This page is user {question.id}’s. For user {id} it begins anew: what was typed here and not saved
          is lost.
        </p>
      )}
      <div class="actions sign-in-actions">
        <Button
          label="Sign in"
          busy={busy && 'Signing in …'}
          type="submit"
          class="primary"
          disabled={wait > 0}
        />
        {children}
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

/** To everyone alike the API says nothing more (authentication.md): it does not tell which users there are. */
const Reasons = () => (
  <div class="hint sign-in-reasons">
    <p>The API does not say which of these it was:</p>
    <ul class="bullets">
      <li>No user has this id; ids are numbers, such as 1.</li>
      <li>The paraphrase differs, if only by a capital or a blank.</li>
      <li>The user was removed or given another paraphrase.</li>
      <li>The user was added to another database.</li>
    </ul>
  </div>
)

function reasonOf(error: unknown, end: number, wait: number): string {
  if (error instanceof ApiError && isWrong(error)) return error.message
  if (end === 0 || !isOfKind(error, 'throttled')) return sentenceOf(error)
  const time = new Date(end).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  // A screen reader hears it when the wait begins and when it is over; the seconds in between are only shown.
  return wait > 0 ? `Too many wrong paraphrases: you can try again after ${time}.` : 'You can try again now.'
}

/** The paraphrase is sent as typed: a blank may belong to it, or have been copied by accident. */
const PADDED = ' What you typed begins or ends with a blank.'

const isWrong = (error: unknown): boolean => isOfKind(error, 'credentials')

export function Destination() {
  const { base, served } = useContext(ApiSwitchContext)
  const host = <strong>{new URL(base).host}</strong>
  return (
    <div class="stack">
      <p>
        <span class="visually-hidden">The API is at </span>
        <code>{base}</code>
      </p>
      {base !== served && (
        <p class="warning">
          This is not the API that this page came with. What you type here goes to {host}.
        </p>
      )}
      {isReadable(base) && (
        <p class="warning">
          Plain http: anyone between you and {host} can read what you type. Use https if the API offers it.
        </p>
      )}
    </div>
  )
}
