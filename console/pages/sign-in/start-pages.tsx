import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Credentials } from '../../../src/client/index.ts'
import { isMixed, MIXED } from '../../shared/connection/address.ts'
import { type Connection, connect, type Farewell, type Question } from '../../shared/connection/connection.ts'
import { OtherNameError } from '../../shared/connection/description.ts'
import { Button } from '../../shared/controls/button.tsx'
import { Failure } from '../../shared/controls/page.tsx'
import { AddressForm, BackToServed } from './address-form.tsx'
import { Destination, SignInForm } from './sign-in-form.tsx'

interface SignInPageProps {
  readonly question: Pick<Question, 'error' | 'id' | 'busy' | 'askedAt'>
  readonly base: string
  /** The API that the page came with: another one is named with a warning. */
  readonly served: string
  /** What happened before: a sign-out. */
  readonly notice: string
  readonly onCredentials: (credentials: Credentials) => void
  readonly onOpened: (connection: Connection) => void
  /** To the API that the page came with. */
  readonly onBack: () => void
}

/** Before anything is shown: who are you? */
export function SignInPage(props: SignInPageProps) {
  const { question, base, served, notice, onCredentials, onOpened, onBack } = props
  const { id, error, busy, askedAt } = question
  return (
    <StartPage title="Sign in" notice={notice}>
      <Destination base={base} served={served} />
      <SignInForm
        id={id}
        error={error}
        askedAt={askedAt}
        busy={busy}
        isForeign={base !== served}
        onSubmit={onCredentials}
        about="The secret of your user, elsewhere called a passphrase."
      />
      <OtherApi base={base} served={served} onOpened={onOpened} onBack={onBack} />
    </StartPage>
  )
}

interface OtherApiProps {
  readonly base: string
  readonly served: string
  readonly onOpened: (connection: Connection) => void
  readonly onBack: () => void
}

/** The way to another API, and back. */
export function OtherApi({ base, served, onOpened, onBack }: OtherApiProps) {
  const [open, setOpen] = useState(false)
  return (
    <div class="other-api">
      <div class="actions">
        <Button class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          Look at another API
        </Button>
        <BackToServed base={base} served={served} onBack={onBack} quiet />
      </div>
      {open && <AddressForm address={base} onOpened={onOpened} focused />}
    </div>
  )
}

interface ConnectionFailedProps {
  readonly base: string
  readonly served: string
  readonly error: unknown
  readonly notice: string
  readonly onRetry: () => void
  readonly onOpened: (connection: Connection) => void
  readonly onBack: () => void
}

/** There is no API to show: why, and where else there may be one. */
export function ConnectionFailed(props: ConnectionFailedProps) {
  const { base, served, error, notice, onRetry, onOpened, onBack } = props
  return (
    <StartPage title="This API cannot be shown" notice={notice}>
      <p>
        <code>{base}</code>
      </p>
      <Failure error={error} onRetry={error instanceof OtherNameError ? undefined : onRetry} />
      {error instanceof OtherNameError && (
        <p>
          <Button class="primary" onClick={() => onOpened(connect(error.address))}>
            Open {error.address}
          </Button>
        </p>
      )}
      {isMixed(location.protocol, base) && <p class="warning">{MIXED}</p>}
      <AddressForm
        address={base}
        onOpened={onOpened}
        actions={<BackToServed base={base} served={served} onBack={onBack} />}
      />
    </StartPage>
  )
}

interface ConnectingProps {
  readonly base: string
  readonly onCancel: () => void
}

/** Nothing is known of the API yet. The way out appears where it takes its time. */
export function Connecting({ base, onCancel }: ConnectingProps) {
  return (
    <div class="connecting">
      <p role="status">Connecting to {base} …</p>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}

interface StartPageProps {
  readonly title: string
  readonly notice?: string
  readonly children: ComponentChildren
}

/** What one sees while no API is open: one card in the middle. */
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

/** What one reads after signing out. */
export function farewellOf({ revoked, endsAt }: Farewell): string {
  if (endsAt === undefined) return 'You are signed out.'
  if (revoked) return 'You are signed out, and the token has been revoked.'
  const time = new Date(endsAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return `You are signed out here, but the API could not be told to revoke the token. It has been forgotten, and ends by itself at ${time}.`
}
