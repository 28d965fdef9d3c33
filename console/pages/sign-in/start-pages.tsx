import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Credentials } from '../../../src/client/index.ts'
import {
  connect,
  isMixed,
  MIXED,
  OtherNameError,
  type Question,
  type SignOutOutcome,
} from '../../shared/connection/index.ts'
import { Button, Failure } from '../../shared/controls/index.ts'
import { AddressForm, type ApiSwitch, BackToServed } from './address-form.tsx'
import { Destination, SignInForm } from './sign-in-form.tsx'

interface StartPageProps {
  readonly title: string
  readonly notice?: string
  readonly children: ComponentChildren
}

export function StartPage({ title, notice = '', children }: StartPageProps) {
  useEffect(() => {
    document.title = `${title} · Hydrant console`
  }, [title])
  return (
    <main class="start">
      <p class="start-brand">
        <img src="icon.svg" alt="" width="28" height="28" />
        Hydrant console
      </p>
      <div class="start-notice" role="status">
        {notice && <p>{notice}</p>}
      </div>
      <div class="card start-card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

interface BeforeApiProps {
  readonly base: string
  readonly apis: ApiSwitch
  readonly notice: string
}

interface SignInPageProps extends BeforeApiProps {
  readonly question: Pick<Question, 'error' | 'id' | 'busy' | 'askedAt'>
  readonly onCredentials: (credentials: Credentials) => void
}

export function SignInPage({ question, base, apis, notice, onCredentials }: SignInPageProps) {
  return (
    <StartPage title="Sign in" notice={notice}>
      <Destination base={base} served={apis.served} />
      <SignInForm
        question={question}
        isForeign={base !== apis.served}
        onSubmit={onCredentials}
        about="The secret of your user, elsewhere called a passphrase."
      />
      <OtherApi base={base} apis={apis} />
    </StartPage>
  )
}

function OtherApi({ base, apis }: { readonly base: string; readonly apis: ApiSwitch }) {
  const [open, setOpen] = useState(false)
  return (
    <div class="other-api">
      <div class="actions">
        <Button
          label="Look at another API"
          class="quiet"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        <BackToServed base={base} apis={apis} class="quiet" />
      </div>
      {open && <AddressForm address={base} onOpened={apis.open} focused />}
    </div>
  )
}

interface ConnectionFailedProps extends BeforeApiProps {
  readonly error: unknown
  readonly onRetry: () => void
}

export function ConnectionFailed({ base, apis, error, notice, onRetry }: ConnectionFailedProps) {
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
            onClick={() => apis.open(connect(error.address))}
          />
        </p>
      )}
      {isMixed(location.protocol, base) && <p class="warning">{MIXED}</p>}
      <AddressForm address={base} onOpened={apis.open} actions={<BackToServed base={base} apis={apis} />} />
    </StartPage>
  )
}

/** The button appears, by its style, only where connecting takes long. */
export const Connecting = (props: { readonly base: string; readonly onCancel: () => void }) => (
  <div class="connecting">
    <p role="status">Connecting to {props.base} …</p>
    <Button onClick={props.onCancel}>Cancel</Button>
  </div>
)

export function signOutSentence({ revoked, endsAt }: SignOutOutcome): string {
  if (endsAt === undefined) return 'You are signed out.'
  if (revoked) return 'You are signed out, and the token has been revoked.'
  const time = new Date(endsAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return `You are signed out here, but the API could not be told to revoke the token. It has been forgotten, and ends by itself at ${time}.`
}
