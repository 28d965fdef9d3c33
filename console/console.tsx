import { useEffect, useRef, useState } from 'preact/hooks'
import type { Credentials } from '../src/client/index.ts'
import { announce } from './announcement.ts'
import { type Api, ApiContext, useLoading } from './api.tsx'
import { type Connection, connect, type Question } from './connection.ts'
import { DocumentationPage } from './documentation/documentation-page.tsx'
import { CreatePage } from './form/create-page.tsx'
import { EditPage } from './form/edit-page.tsx'
import { Frame } from './frame/frame.tsx'
import { HomePage } from './home/home-page.tsx'
import { MemberPage } from './member/member-page.tsx'
import { hrefOf, type Route, readRoute } from './routes.ts'
import { readAddress } from './sign-in/address.ts'
import { AddressForm } from './sign-in/address-form.tsx'
import { ConnectionFailed } from './sign-in/connection-failed.tsx'
import { farewellOf } from './sign-in/farewell.ts'
import { SignInDialog } from './sign-in/sign-in-dialog.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { StartPage } from './sign-in/start-page.tsx'
import { useStore } from './store.ts'
import { TablePage } from './table/table-page.tsx'

/** Another sign-in is another connection: nothing of the one before is left. */
interface Visit {
  readonly number: number
  readonly connection: Connection | undefined
  /** How the one before ended. */
  readonly notice: string
}

/**
 * READ THIS FIRST. The console on one screen: connect to an API, sign in where it asks for that, read what it says of
 * itself, then show the page that the address names.
 */
export function Console(props: { readonly served: string }) {
  const reading = readAddress(props.served)
  const served = 'address' in reading ? reading.address : ''
  const [{ number, connection, notice }, setVisit] = useState<Visit>(() => ({
    number: 0,
    connection: served ? connect(served) : undefined,
    notice: '',
  }))
  const visit = (next: Connection, notice = '') =>
    setVisit((before) => ({ number: before.number + 1, connection: next, notice }))

  if (!connection) {
    return (
      <StartPage title="Open an API">
        <AddressForm address="" onAddress={(address) => visit(connect(address))} focused />
      </StartPage>
    )
  }
  const { base, signOut } = connection
  return (
    <Connected
      key={number}
      connection={connection}
      served={served}
      notice={notice}
      onCredentials={(credentials) => {
        signOut()
        visit(connect(base, credentials))
      }}
      onAddress={(address) => {
        signOut()
        goHome()
        visit(connect(address))
      }}
      onLeave={async () => {
        const farewell = await signOut()
        goHome()
        visit(connect(base), farewellOf(farewell))
      }}
    />
  )
}

/** What stands in the address, and what was announced, is of the API that one leaves. */
function goHome(): void {
  // Without an event: the page that one leaves is not asked.
  history.replaceState(null, '', hrefOf({ page: 'home' }))
  announce('')
}

interface ConnectedProps {
  readonly connection: Connection
  readonly served: string
  readonly notice: string
  /** Somebody signs in anew, after a failure or as another user. */
  readonly onCredentials: (credentials: Credentials) => void
  readonly onAddress: (address: string) => void
  readonly onLeave: () => Promise<void>
}

function Connected({ connection, served, notice, onCredentials, onAddress, onLeave }: ConnectedProps) {
  const { client, base } = connection
  const question = useStore(connection.question)
  const signedIn = useStore(connection.signedIn)
  const api = useLoading<Api>(async (signal) => {
    const [documentation, collections] = await Promise.all([
      client.documentation({ signal }),
      client.collections({ signal }),
    ])
    return { ...connection, documentation, collections }
  }, [])
  const route = useRoute()
  const asked = useRef<Question | undefined>(undefined)
  asked.current = question ?? asked.current

  if (api.value) {
    return (
      <ApiContext.Provider value={api.value}>
        <Frame route={route} onLeave={onLeave} onAddress={onAddress}>
          <CurrentPage route={route} />
        </Frame>
        {question && (
          <SignInDialog question={question} base={base} signedIn={signedIn} onOtherUser={onCredentials} />
        )}
      </ApiContext.Provider>
    )
  }
  const failed = !api.busy
  const waiting = failed && question?.busy ? undefined : question
  if (asked.current && !(failed && signedIn)) {
    return (
      <SignInPage
        // Once it has been answered, the page waits for the API; where that failed, it is asked once more.
        question={waiting ?? { ...asked.current, busy: !failed, error: api.error }}
        base={base}
        served={served}
        notice={notice}
        onCredentials={waiting ? waiting.answer : onCredentials}
        onAddress={onAddress}
      />
    )
  }
  if (failed) {
    return (
      <ConnectionFailed
        base={base}
        served={served}
        error={api.error}
        notice={notice}
        onRetry={api.reload}
        onAddress={onAddress}
      />
    )
  }
  return (
    <p class="connecting" role="status">
      Connecting to {base} …
    </p>
  )
}

function CurrentPage({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'home':
      return <HomePage />
    case 'table':
      return <TablePage key={route.name} name={route.name} query={route.query} />
    case 'create':
      return <CreatePage key={route.name} name={route.name} />
    case 'member':
      return <MemberPage key={route.path} path={route.path} />
    case 'edit':
      return <EditPage key={route.path} path={route.path} />
    case 'documentation':
      return <DocumentationPage name={route.name} />
  }
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  useEffect(() => {
    const follow = () => setRoute(readRoute(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
