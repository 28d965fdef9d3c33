import type { ComponentChildren } from 'preact'
import { useContext, useState } from 'preact/hooks'
import {
  connect,
  isMixed,
  MIXED,
  OtherNameError,
  type Question,
  type SignOutOutcome,
  useApi,
} from '../../shared/connection/index.ts'
import { Button, clockText, Dialog, Failure, useTitle } from '../../shared/controls/index.ts'
import { useStore } from '../../shared/state.ts'
import { AddressForm, ApiSwitchContext, BackToServed } from './address-form.tsx'
import { Destination, SignInForm } from './sign-in-form.tsx'

export function StartPage(props: { title: string; notice?: string; children: ComponentChildren }) {
  const { title, notice = '', children } = props
  useTitle(title)
  return (
    <main class="start">
      <p class="start-brand row">
        <img src="icon.svg" alt="" width="28" height="28" />
        Hydrant console
      </p>
      <div class="start-notice" role="status">
        {notice && <p>{notice}</p>}
      </div>
      <div class="card start-card stack wide">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

export const SignInPage = ({ question, notice }: { question: Question; notice: string }) => (
  <StartPage title="Sign in" notice={notice}>
    <Destination />
    <SignInForm question={question} about="Your secret, elsewhere called a passphrase." />
    <OtherApi />
  </StartPage>
)

function OtherApi() {
  const [open, setOpen] = useState(false)
  return (
    <div class="other-api stack wide">
      <div class="actions">
        <Button
          label="Look at another API"
          class="quiet"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        {!open && <BackToServed class="quiet" />}
      </div>
      {open && <AddressForm focused />}
    </div>
  )
}

export function ConnectionFailed(props: { notice: string; error: unknown; onRetry: () => void }) {
  const { notice, error, onRetry } = props
  const { base, open } = useContext(ApiSwitchContext)
  const isOtherName = error instanceof OtherNameError
  return (
    <StartPage title="This API cannot be shown" notice={notice}>
      <p>
        <code>{base}</code>
      </p>
      <Failure error={error} onRetry={isOtherName ? undefined : onRetry} />
      {isOtherName && (
        <p>
          <Button
            label={`Open ${error.address}`}
            class="primary"
            onClick={() => open(connect(error.address))}
          />
        </p>
      )}
      {isMixed(location.protocol, base) && <p class="warning">{MIXED}</p>}
      <AddressForm />
    </StartPage>
  )
}

/** The button appears, by its style, only where connecting takes long. */
export const Connecting = ({ onCancel }: { onCancel: () => void }) => (
  <div class="connecting">
    <p role="status">Connecting to {useContext(ApiSwitchContext).base} …</p>
    <Button onClick={onCancel}>Cancel</Button>
  </div>
)

export function signOutSentence({ revoked, endsAt }: SignOutOutcome): string {
  if (endsAt === undefined) return 'You are signed out.'
  if (revoked) return 'You are signed out, and the token has been revoked.'
  const time = clockText(endsAt)
  return `You are signed out here, but the API could not be told to revoke the token. It has been forgotten, and ends by itself at ${time}.`
}

/** Over the page, which stays: the token has ended, or an API whose entry point is open to everyone asks now. */
export function SignInDialog(props: { question: Question; onOtherUser: Question['answer'] }) {
  const { question, onOtherUser } = props
  const signedIn = useStore(useApi().signedIn)
  const isAgain = question.expired || signedIn !== undefined
  return (
    <Dialog title={isAgain ? 'Sign in again' : 'Sign in'} onCancel={question.giveUp}>
      <p>{isAgain ? reasonFor(signedIn?.endsAt) : ASKS}</p>
      <Destination />
      {/* The waiting requests are one user's, and are not made in the name of another. */}
      <SignInForm question={question} onOtherUser={isAgain ? onOtherUser : undefined}>
        <Button onClick={question.giveUp}>Cancel</Button>
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
