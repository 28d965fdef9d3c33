import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Credentials } from '../src/client/index.ts'
import { Frame } from './frame/frame.tsx'
import { DocumentationPage } from './pages/documentation/documentation-page.tsx'
import { CreatePage } from './pages/form/create-page.tsx'
import { EditPage } from './pages/form/edit-page.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { MemberPage } from './pages/member/member-page.tsx'
import { AddressForm, BackToServed } from './pages/sign-in/address-form.tsx'
import { SignInDialog } from './pages/sign-in/sign-in-dialog.tsx'
import {
  Connecting,
  ConnectionFailed,
  farewellOf,
  SignInPage,
  StartPage,
} from './pages/sign-in/start-pages.tsx'
import { TablePage } from './pages/table/table-page.tsx'
import { type Api, ApiContext, useLoading } from './shared/api.ts'
import { chosenApi, readAddress, rememberApi } from './shared/connection/address.ts'
import { type Connection, connect, type Question } from './shared/connection/connection.ts'
import { describeOrName, OtherNameError } from './shared/connection/description.ts'
import { MissingPage, PageBoundary } from './shared/controls/page.tsx'
import { hrefOf, type Route, readRoute } from './shared/routes.ts'
import { useStore } from './shared/store.ts'

/** Another sign-in is another connection: nothing of the one before is left. */
interface Visit {
  readonly number: number
  /** Undefined while nobody has said which API. */
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
  const home = 'address' in reading ? reading.address : ''
  const served = home.replace(/\/+$/, '')
  const [{ number, connection, notice }, setVisit] = useState<Visit>(() => {
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
  const back = () => open(connect(home))

  if (!connection) {
    return (
      <StartPage title="Open an API">
        <AddressForm
          address={chosenApi(home)}
          onOpened={open}
          focused
          actions={<BackToServed base="" served={served} onBack={back} />}
        />
      </StartPage>
    )
  }
  const { address, signOut } = connection
  const again = (credentials?: Credentials) => {
    signOut()
    visit(connect(address, credentials))
  }
  return (
    <Connected
      key={number}
      connection={connection}
      served={served}
      notice={notice}
      onCredentials={again}
      onReload={() => again()}
      onOpened={open}
      onBack={back}
      onCancel={() => visit(undefined)}
      onLeave={async () => {
        const farewell = await signOut()
        goHome()
        visit(connect(address), farewellOf(farewell))
      }}
    />
  )
}

/** What stands in the address is of the API that one leaves. Without an event: the page that one leaves is not asked. */
const goHome = (): void => history.replaceState(null, '', hrefOf({ page: 'home' }))

interface ConnectedProps {
  readonly connection: Connection
  readonly served: string
  readonly notice: string
  /** Somebody signs in anew, after a failure or as another user. */
  readonly onCredentials: (credentials: Credentials) => void
  /** The same API is read anew. */
  readonly onReload: () => void
  readonly onOpened: (connection: Connection) => void
  /** To the API that the page came with. */
  readonly onBack: () => void
  readonly onCancel: () => void
  readonly onLeave: () => Promise<void>
}

function Connected(props: ConnectedProps) {
  const { connection, served, notice, onCredentials, onReload, onOpened, onBack, onCancel, onLeave } = props
  const { client, base } = connection
  const question = useStore(connection.question)
  const signedIn = useStore(connection.signedIn)
  const api = useLoading<Api>(
    async (signal) => ({ ...connection, ...(await describeOrName(client, { signal })) }),
    [],
  )
  const route = useRoute()
  const asked = useRef<Question | undefined>(undefined)
  asked.current = question ?? asked.current

  if (api.value) {
    return (
      <ApiContext.Provider value={api.value}>
        <Frame
          route={route}
          served={served}
          onLeave={onLeave}
          onOpened={onOpened}
          onBack={onBack}
          onReload={onReload}
        >
          <PageBoundary route={route}>
            <CurrentPage route={route} />
          </PageBoundary>
        </Frame>
        {question && (
          <SignInDialog
            question={question}
            base={base}
            served={served}
            signedIn={signedIn}
            onOtherUser={onCredentials}
          />
        )}
      </ApiContext.Provider>
    )
  }
  const failed = !api.busy
  const waiting = failed && question?.busy ? undefined : question
  if (asked.current && !(failed && (signedIn || api.error instanceof OtherNameError))) {
    return (
      <SignInPage
        // Once it has been answered, the page waits for the API; where that failed, it is asked once more.
        question={waiting ?? { ...asked.current, busy: !failed, error: api.error }}
        base={base}
        served={served}
        notice={notice}
        onCredentials={waiting ? waiting.answer : onCredentials}
        onOpened={onOpened}
        onBack={onBack}
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
        onOpened={onOpened}
        onBack={onBack}
      />
    )
  }
  return <Connecting base={base} onCancel={onCancel} />
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
    case 'missing':
      return <MissingPage key={route.place} place={route.place} />
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

const root = document.getElementById('console')
const served = document.querySelector<HTMLMetaElement>('meta[name="hydrant-base"]')?.content ?? ''
if (root) render(<Console served={served} />, root)
