import { useId, useState } from 'preact/hooks'
import type { Credentials } from '../../../src/client/index.ts'
import type { Question, SignedIn } from '../../shared/connection/connection.ts'
import { Button } from '../../shared/controls/button.tsx'
import { useModal } from '../../shared/controls/modal.ts'
import { Destination, SignInForm } from './sign-in-form.tsx'

interface SignInDialogProps {
  readonly question: Question
  readonly base: string
  /** The API that the page came with. */
  readonly served: string
  readonly signedIn: SignedIn | undefined
  /** Somebody else wants to go on: with a page of their own. */
  readonly onOtherUser: (credentials: Credentials) => void
}

/**
 * Sign in over the page, which stays as it is: the token has ended while one was at work, or an API that shows its entry
 * point to everybody asks now.
 */
export function SignInDialog({ question, base, served, signedIn, onOtherUser }: SignInDialogProps) {
  const dialog = useModal()
  const title = useId()
  const [id, setId] = useState(question.id)
  const isAgain = question.expired || signedIn !== undefined
  const isOther = isAgain && id !== '' && id !== question.id

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
        <h2 id={title}>{isAgain ? 'Sign in again' : 'Sign in'}</h2>
        <p>{isAgain ? reasonFor(signedIn?.endsAt) : ASKS}</p>
        <Destination base={base} served={served} />
        <SignInForm
          id={question.id}
          error={question.error}
          askedAt={question.askedAt}
          busy={question.busy}
          isForeign={base !== served}
          onSubmit={submit}
          onId={setId}
          actions={<Button onClick={question.giveUp}>Cancel</Button>}
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

const ASKS =
  'The API asks who you are before it answers this. Once you have signed in, the page goes on where you are.'

const reasonFor = (endsAt: number | undefined): string =>
  endsAt !== undefined && endsAt > Date.now()
    ? 'The token is about to end. With a new one you go on where you are.'
    : 'The token has ended. Nothing on this page is lost: once you have signed in, it goes on where you are.'
