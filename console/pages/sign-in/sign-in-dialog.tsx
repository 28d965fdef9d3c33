import { useState } from 'preact/hooks'
import type { Credentials } from '../../../src/client/index.ts'
import type { Question, SignedIn } from '../../shared/connection/index.ts'
import { Button, Dialog } from '../../shared/controls/index.ts'
import { Destination, SignInForm } from './sign-in-form.tsx'

interface SignInDialogProps {
  readonly question: Question
  readonly base: string
  readonly served: string
  readonly signedIn: SignedIn | undefined
  /** Another user signs in, who gets a page of their own. */
  readonly onOtherUser: (credentials: Credentials) => void
}

/**
 * Sign in over the page, which stays as it is: the token has ended, or an API that shows its entry point to everybody
 * asks now.
 */
export function SignInDialog({ question, base, served, signedIn, onOtherUser }: SignInDialogProps) {
  const [id, setId] = useState(question.id)
  const isAgain = question.expired || signedIn !== undefined
  const isOther = isAgain && id !== '' && id !== question.id
  return (
    <Dialog title={isAgain ? 'Sign in again' : 'Sign in'} onCancel={question.giveUp}>
      <p>{isAgain ? reasonFor(signedIn?.endsAt) : ASKS}</p>
      <Destination base={base} served={served} />
      <SignInForm
        question={question}
        isForeign={base !== served}
        // The waiting requests are one user's, and are not made in the name of another.
        onSubmit={isOther ? onOtherUser : question.answer}
        onId={setId}
        actions={<Button onClick={question.giveUp}>Cancel</Button>}
      >
        {isOther && (
          <p class="warning" role="alert">
            This page is user {question.id}’s. For user {id} it begins anew: what was typed here and not saved
            is lost.
          </p>
        )}
      </SignInForm>
    </Dialog>
  )
}

const ASKS =
  'The API asks who you are before it answers this. Once you have signed in, the page goes on where you are.'

const reasonFor = (endsAt: number | undefined): string =>
  endsAt !== undefined && endsAt > Date.now()
    ? 'The token is about to end. With a new one you go on where you are.'
    : 'The token has ended. Nothing on this page is lost: once you have signed in, it goes on where you are.'
