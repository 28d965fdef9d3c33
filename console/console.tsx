import type { UserCredentials } from 'hydrant-client'
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Frame } from './frame/frame.tsx'
import { showTheme } from './frame/navigation.tsx'
import { AccountPage } from './pages/account/index.ts'
import { DocumentationPage } from './pages/documentation/documentation-page.tsx'
import { CreatePage, EditPage } from './pages/form/index.ts'
import { DeletedPage, HistoryPage } from './pages/history/index.ts'
import { HomePage } from './pages/home/home-page.tsx'
import { MemberPage } from './pages/member/index.ts'
import {
  AddressForm,
  ApiSwitchContext,
  Connecting,
  ConnectionFailed,
  SignInDialog,
  SignInPage,
  StartPage,
  signOutSentence,
} from './pages/sign-in/index.ts'
import { SummaryPage } from './pages/summary/summary-page.tsx'
import { TablePage } from './pages/table/index.ts'
import {
  type Api,
  type ApiConnection,
  ApiContext,
  chosenApi,
  connect,
  describeOrName,
  OtherNameError,
  readAddress,
  rememberApi,
  type SignInRequest,
} from './shared/connection/index.ts'
import { announce, MissingPage, PageBoundary } from './shared/controls/index.ts'
import { hrefOf, type Route, readRoute } from './shared/names.ts'
import { useBrowser, useLoading, useObservable } from './shared/state.ts'

/**
 * READ THIS FIRST. The console on one screen: connect to an API, sign in if the API asks for it, read its description,
 * then show the page that the address names.
 */
function Console(props: { served: string }) {
  const reading = readAddress(props.served)
  const home = 'address' in reading ? reading.address : ''
  const served = home.replace(/\/+$/, '')
  // Each sign-in gets a new connection, so that nothing of the previous user is left.
  const [{ number, connection, notice, wasPublic }, setVisit] = useState(() => {
    const address = chosenApi(home)
    return { number: 0, connection: address ? connect(address) : undefined, notice: '', wasPublic: false }
  })
  const visit = (next: ApiConnection | undefined, notice = '', wasPublic = false) =>
    setVisit((before) => ({ number: before.number + 1, connection: next, notice, wasPublic }))

  const open = (next: ApiConnection) => {
    connection?.signOut()
    rememberApi(next.base === served ? home : next.address, home)
    goHome()
    visit(next)
  }
  const base = connection?.base ?? chosenApi(home)
  return (
    <ApiSwitchContext.Provider value={{ home, served, base, open }}>
      {connection ? (
        <Connected
          key={number}
          connection={connection}
          notice={notice}
          onRestart={(credentials, stays) => {
            const isPublic = wasPublic || connection.isPublic.get()
            connection.signOut()
            visit(connect(connection.address, credentials, stays), '', isPublic)
          }}
          onBack={wasPublic ? () => visit(connect(connection.address)) : undefined}
          onCancel={() => visit(undefined)}
          onSignOut={async (said) => {
            const outcome = await connection.signOut()
            goHome()
            visit(connect(connection.address), said ?? signOutSentence(outcome))
          }}
        />
      ) : (
        <StartPage title="Open an API">
          <AddressForm focused />
        </StartPage>
      )}
    </ApiSwitchContext.Provider>
  )
}

/** Leaves the page of the old API without an event, so that a form on it does not ask about unsaved changes. */
const goHome = (): void => history.replaceState(null, '', hrefOf({ page: 'home' }))

interface ConnectedProps {
  readonly connection: ApiConnection
  readonly notice: string
  /** Connects to the same API again: after a failure, as another user, or because the API has changed. */
  readonly onRestart: (credentials?: UserCredentials, stays?: boolean) => void
  /** Shows again what anyone may read, if the sign-in began there. */
  readonly onBack: (() => void) | undefined
  readonly onCancel: () => void
  /** `said`: instead of how the sign-out went. */
  readonly onSignOut: (said?: string) => Promise<void>
}

function Connected({ connection, notice, onRestart, onBack, onCancel, onSignOut }: ConnectedProps) {
  const { client } = connection
  const signInRequest = useObservable(connection.signInRequest)
  const signedIn = useObservable(connection.signedIn)
  const api = useLoading<Api>(async (signal) => {
    await connection.start()
    return { ...connection, ...(await describeOrName(client, { signal })) }
  }, [])
  const route = useBrowser(window, 'hashchange', () => readRoute(location.hash))
  const asked = useRef<SignInRequest | undefined>(undefined)
  asked.current = signInRequest ?? asked.current

  const isPublic = useObservable(connection.isPublic)
  const [isSigningIn, setSigningIn] = useState(false)
  const isShown = api.value !== undefined
  // Otherwise the page for signing in shows the notice.
  useEffect(() => {
    if (isShown && notice) announce(notice)
  }, [isShown])
  if (api.value) {
    const volunteered = isSigningIn ? firstRequest(() => setSigningIn(false)) : undefined
    const asking = signInRequest ?? volunteered
    // What anyone may read was read for nobody: a user gets a connection of their own.
    const dialog = asking && isPublic ? { ...asking, answer: onRestart } : asking
    return (
      <ApiContext.Provider value={api.value}>
        <Frame
          route={route}
          onSignIn={() => setSigningIn(true)}
          onSignOut={() => onSignOut()}
          onReload={onRestart}
        >
          <PageBoundary route={route}>
            <CurrentPage route={route} onSignOut={onSignOut} />
          </PageBoundary>
        </Frame>
        {dialog && <SignInDialog request={dialog} onOtherUser={onRestart} />}
      </ApiContext.Provider>
    )
  }
  const failed = !api.busy
  const waiting = failed && signInRequest?.busy ? undefined : signInRequest
  if (asked.current && !(failed && (signedIn || api.error instanceof OtherNameError))) {
    return (
      <SignInPage
        // After an answer the page waits for the API; if that fails, the user is asked again.
        request={waiting ?? { ...asked.current, busy: !failed, error: api.error, answer: onRestart }}
        notice={notice}
        onBack={onBack}
      />
    )
  }
  if (failed) {
    return <ConnectionFailed error={api.error} notice={notice} onRetry={api.reload} />
  }
  return <Connecting onCancel={onCancel} />
}

/** A request that no response of the API has caused. */
const firstRequest = (cancel: () => void): SignInRequest => ({
  ...{ error: undefined, expired: false, id: '', busy: false, askedAt: 0, stays: false },
  answer() {},
  cancel,
})

interface CurrentPageProps {
  readonly route: Route
  readonly onSignOut: (said?: string) => Promise<void>
}

function CurrentPage({ route, onSignOut }: CurrentPageProps) {
  switch (route.page) {
    case 'home':
      return <HomePage />
    case 'account':
      return <AccountPage onSignOut={onSignOut} />
    case 'table':
      return <TablePage key={route.name} {...route} />
    case 'summary':
      return <SummaryPage key={route.name} {...route} />
    case 'create':
      return <CreatePage key={`${route.name} ${route.query}`} {...route} />
    case 'member':
      return <MemberPage key={route.path} path={route.path} />
    case 'history':
      return <HistoryPage key={route.path} path={route.path} />
    case 'deleted':
      return <DeletedPage key={route.name} name={route.name} />
    case 'edit':
      return <EditPage key={route.path} path={route.path} />
    case 'documentation':
      return <DocumentationPage name={route.name} />
    case 'missing':
      return <MissingPage key={route.path} path={route.path} />
  }
}

showTheme()
const root = document.getElementById('console')
const base = document.querySelector<HTMLMetaElement>('meta[name="hydrant-base"]')?.content ?? ''
if (root) render(<Console served={base} />, root)
