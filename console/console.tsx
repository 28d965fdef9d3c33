import type { UserCredentials } from 'hydrant-client'
import { render } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Frame } from './frame/frame.tsx'
import { showTheme } from './frame/navigation.tsx'
import { DocumentationPage } from './pages/documentation/documentation-page.tsx'
import { CreatePage, EditPage } from './pages/form/index.ts'
import { HomePage } from './pages/home/home-page.tsx'
import { MemberPage } from './pages/member/member-page.tsx'
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
import { TablePage } from './pages/table/table-page.tsx'
import {
  type Api,
  ApiContext,
  type Connection,
  chosenApi,
  connect,
  describeOrName,
  OtherNameError,
  type Question,
  readAddress,
  rememberApi,
} from './shared/connection/index.ts'
import { MissingPage, PageBoundary } from './shared/controls/index.ts'
import { hrefOf, type Route, readRoute } from './shared/names.ts'
import { useBrowser, useLoading, useStore } from './shared/state.ts'

/**
 * READ THIS FIRST. The console on one screen: connect to an API, sign in where the API asks for that, read what it says
 * of itself, then show the page that the address names.
 */
function Console(props: { served: string }) {
  const reading = readAddress(props.served)
  const home = 'address' in reading ? reading.address : ''
  const served = home.replace(/\/+$/, '')
  // Each sign-in is another connection: nothing of the one before is left.
  const [{ number, connection, notice }, setVisit] = useState(() => {
    const address = chosenApi(home)
    return { number: 0, connection: address ? connect(address) : undefined, notice: '' }
  })
  const visit = (next: Connection | undefined, notice = '') =>
    setVisit((before) => ({ number: before.number + 1, connection: next, notice }))

  const open = (next: Connection) => {
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
            connection.signOut()
            visit(connect(connection.address, credentials, stays))
          }}
          onCancel={() => visit(undefined)}
          onSignOut={async () => {
            const outcome = await connection.signOut()
            goHome()
            visit(connect(connection.address), signOutSentence(outcome))
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

/** The address names a page of the API that is left. No event is fired: a form on that page is not asked. */
const goHome = (): void => history.replaceState(null, '', hrefOf({ page: 'home' }))

interface ConnectedProps {
  readonly connection: Connection
  readonly notice: string
  /** Connects to the same API anew: after a failure, as another user, or to read what has changed. */
  readonly onRestart: (credentials?: UserCredentials, stays?: boolean) => void
  readonly onCancel: () => void
  readonly onSignOut: () => Promise<void>
}

function Connected({ connection, notice, onRestart, onCancel, onSignOut }: ConnectedProps) {
  const { client } = connection
  const question = useStore(connection.question)
  const signedIn = useStore(connection.signedIn)
  const api = useLoading<Api>(
    async (signal) => ({ ...connection, ...(await describeOrName(client, { signal })) }),
    [],
  )
  const route = useBrowser(window, 'hashchange', () => readRoute(location.hash))
  const asked = useRef<Question | undefined>(undefined)
  asked.current = question ?? asked.current

  if (api.value) {
    return (
      <ApiContext.Provider value={api.value}>
        <Frame route={route} onSignOut={onSignOut} onReload={onRestart}>
          <PageBoundary route={route}>
            <CurrentPage route={route} />
          </PageBoundary>
        </Frame>
        {question && <SignInDialog question={question} onOtherUser={onRestart} />}
      </ApiContext.Provider>
    )
  }
  const failed = !api.busy
  const waiting = failed && question?.busy ? undefined : question
  if (asked.current && !(failed && (signedIn || api.error instanceof OtherNameError))) {
    return (
      <SignInPage
        // An answered question waits for the API; where that failed, the question is asked once more.
        question={waiting ?? { ...asked.current, busy: !failed, error: api.error, answer: onRestart }}
        notice={notice}
      />
    )
  }
  if (failed) {
    return <ConnectionFailed error={api.error} notice={notice} onRetry={api.reload} />
  }
  return <Connecting onCancel={onCancel} />
}

function CurrentPage({ route }: { route: Route }) {
  switch (route.page) {
    case 'home':
      return <HomePage />
    case 'table':
      return <TablePage key={route.name} {...route} />
    case 'create':
      return <CreatePage key={route.name} name={route.name} />
    case 'member':
      return <MemberPage key={route.path} path={route.path} />
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
