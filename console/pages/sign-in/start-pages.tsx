import type { ComponentChildren } from 'preact'
import { useContext, useState } from 'preact/hooks'
import {
  connect,
  isMixed,
  MIXED,
  OtherNameError,
  type SignInRequest,
  type SignOutOutcome,
  useApi,
} from '../../shared/connection/index.ts'
import { Button, clockText, Dialog, Failure, useTitle } from '../../shared/controls/index.ts'
import { useObservable } from '../../shared/state.ts'
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

interface SignInPageProps {
  readonly request: SignInRequest
  readonly notice: string
  /** Back to what anyone may read. */
  readonly onBack: (() => void) | undefined
}

export const SignInPage = ({ request, notice, onBack }: SignInPageProps) => (
  <StartPage title="Sign in" notice={notice}>
    <Destination />
    <SignInForm request={request} about="The protocol and the command line call it the paraphrase.">
      {onBack && <Button onClick={onBack}>Cancel</Button>}
    </SignInForm>
    <OtherApi />
  </StartPage>
)

function OtherApi() {
  const [open, setOpen] = useState(false)
  return (
    <div class="other-api stack wide">
      <div class="actions">
        <Button label="Open another API" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)} />
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

/** Its style shows the button only after a while. */
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
  return `You are signed out here, but the API could not be reached to revoke the token. The token expires at ${time}.`
}

/** Opens over the page, which stays: the token has ended, or only parts of the API are protected. */
export function SignInDialog(props: { request: SignInRequest; onOtherUser: SignInRequest['answer'] }) {
  const { request, onOtherUser } = props
  const signedIn = useObservable(useApi().signedIn)
  const isAgain = request.expired || signedIn !== undefined
  return (
    <Dialog title={isAgain ? 'Sign in again' : 'Sign in'} onCancel={request.cancel}>
      {/* Without a time, nothing has asked for it but the user. */}
      {request.askedAt > 0 && <p>{isAgain ? reasonFor(signedIn?.endsAt) : ASKS}</p>}
      <Destination />
      {/* The waiting requests belong to one user, and must not be sent as another. */}
      <SignInForm request={request} onOtherUser={isAgain ? onOtherUser : undefined}>
        <Button onClick={request.cancel}>Cancel</Button>
      </SignInForm>
    </Dialog>
  )
}

const ASKS = 'You need to sign in first. Nothing on this page is lost.'

const reasonFor = (endsAt: number | undefined): string =>
  endsAt !== undefined && endsAt > Date.now()
    ? 'Your token is about to expire. Sign in to get a new one; nothing on this page is lost.'
    : 'Your token is no longer valid. Sign in to continue; nothing on this page is lost.'
