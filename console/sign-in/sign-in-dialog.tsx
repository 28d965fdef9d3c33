import { useId, useState } from 'preact/hooks'
import type { Credentials } from '../../src/client/index.ts'
import type { Question, SignedIn } from '../connection.ts'
import { useModal } from '../frame/modal.ts'
import { SignInForm } from './sign-in-form.tsx'

interface SignInDialogProps {
  readonly question: Question
  readonly base: string
  readonly signedIn: SignedIn | undefined
  /** Somebody else wants to go on: with a page of their own. */
  readonly onOtherUser: (credentials: Credentials) => void
}

/** The token has ended while one was at work: sign in again, over the page, which stays as it is. */
export function SignInDialog({ question, base, signedIn, onOtherUser }: SignInDialogProps) {
  const dialog = useModal()
  const title = useId()
  const [id, setId] = useState(question.id)
  const isOther = id !== '' && id !== question.id

  // What waits was asked for by one user and is not done in the name of another.
  const submit = (credentials: Credentials) =>
    isOther ? onOtherUser(credentials) : question.answer(credentials)

  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault()
        question.giveUp()
      }}
    >
      <div class="dialog-content">
        <h2 id={title}>Sign in again</h2>
        <p>{reasonFor(signedIn?.endsAt)}</p>
        <p class="hint">
          <code>{base}</code>
        </p>
        <SignInForm
          id={question.id}
          error={question.error}
          askedAt={question.askedAt}
          busy={question.busy}
          onSubmit={submit}
          onId={setId}
          actions={
            <button type="button" class="button" onClick={question.giveUp}>
              Cancel
            </button>
          }
        >
          {isOther && (
            <p class="warning" role="alert">
              This page is user {question.id}’s. For user {id} it begins anew: what was typed here and not
              saved is lost.
            </p>
          )}
        </SignInForm>
      </div>
    </dialog>
  )
}

const reasonFor = (endsAt: number | undefined): string =>
  endsAt !== undefined && endsAt > Date.now()
    ? 'The token is about to end. With a new one you go on where you are.'
    : 'The token has ended. Nothing on this page is lost: once you have signed in, it goes on where you are.'
