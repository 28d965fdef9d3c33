import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { AddressForm, type ApiSwitch, ApiSwitchContext } from '../pages/sign-in/index.ts'
import { accountAddress, hasAccounts, sentenceOf, useApi } from '../shared/connection/index.ts'
import {
  announcementAt,
  Button,
  clockText,
  Dialog,
  duration,
  focusMain,
  LAST_MINUTES_MS,
  remaining,
  Status,
  scrolled,
  scrollTo,
  useLeaving,
  useMemberName,
  useNow,
} from '../shared/controls/index.ts'
import { hrefOf, type Route } from '../shared/names.ts'
import { useObservable } from '../shared/state.ts'
import { WirePanel } from '../shared/wire/index.ts'
import { useKeys } from './keys.tsx'
import { Navigation } from './navigation.tsx'
import { AnnouncementRegion, ChangeNotice, OtherNameNotice } from './notices.tsx'

interface FrameProps {
  readonly route: Route
  readonly onSignIn: () => void
  readonly onSignOut: () => Promise<void>
  readonly onReload: () => void
  readonly children: ComponentChildren
}

export function Frame({ route, onSignIn, onSignOut, onReload, children }: FrameProps) {
  const [choosing, setChoosing] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { askFirst, dialog } = useLeaving()
  const wire = useWirePanel()
  const keys = useKeys()
  useEffect(() => setFailure(undefined), [route])

  const apis = useContext(ApiSwitchContext)
  const asking: ApiSwitch = { ...apis, open: (connection) => askFirst(() => apis.open(connection)) }
  const signOut = () => {
    setLeaving(true)
    onSignOut()
  }
  return (
    <ApiSwitchContext.Provider value={asking}>
      <div class="frame">
        {/* Not a link, since the part of the address after `#` names the page. */}
        <button type="button" class="skip" onClick={focusMain}>
          Skip to content
        </button>
        <header class="bar">
          <Brand />
          <Button
            ref={wire.toggle}
            label="Requests"
            class="quiet"
            title="Show the requests of this page"
            aria-expanded={wire.isOpen}
            onClick={() => wire.open(!wire.isOpen)}
          />
          <SessionClock leaving={leaving} onLeave={() => askFirst(signOut)} onFailure={setFailure} />
          <PublicNote onSignIn={onSignIn} />
        </header>
        <Navigation route={route} onOtherApi={() => setChoosing(true)} onKeys={keys.show} />
        <div class="middle">
          <ChangeNotice onReload={() => askFirst(onReload)} />
          <OtherNameNotice />
          <div class="frame-failure" role="alert">
            {failure !== undefined && <p class="failure">{sentenceOf(failure)}</p>}
          </div>
          {children}
        </div>
        {wire.isOpen && <WirePanel onClose={() => wire.open(false)} />}
        {choosing && <OtherApiDialog onClose={() => setChoosing(false)} />}
        {dialog}
        {keys.dialog}
        <AnnouncementRegion />
      </div>
    </ApiSwitchContext.Provider>
  )
}

/** Opens and closes the list of requests. The page keeps its scroll position. */
function useWirePanel() {
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const position = useRef(0)
  useLayoutEffect(() => scrollTo(position.current), [isOpen])
  const open = (next: boolean) => {
    position.current = scrolled()
    setOpen(next)
    if (!next) toggle.current?.focus({ preventScroll: true })
  }
  return { isOpen, open, toggle }
}

function Brand() {
  const { documentation, base } = useApi()
  const title = documentation.title || new URL(base).host
  return (
    <>
      <a class="brand" href={hrefOf({ page: 'home' })} title={title}>
        <img src="icon.svg" alt="" width="26" height="26" />
        <span>{title}</span>
      </a>
      <code class="bar-address" title={base}>
        {base}
      </code>
    </>
  )
}

function OtherApiDialog({ onClose }: { onClose: () => void }) {
  const session = useObservable(useApi().signedIn)
  return (
    <Dialog title="Open another API" onCancel={onClose}>
      {session && <p>You will be signed out of this API, and your token will be revoked.</p>}
      <AddressForm focused moreButtons={<Button label="Cancel" class="quiet" onClick={onClose} />} />
    </Dialog>
  )
}

/** Nobody is signed in, and the API shows what anyone may read. */
function PublicNote({ onSignIn }: { onSignIn: () => void }) {
  const isPublic = useObservable(useApi().isPublic)
  return isPublic ? <Button label="Sign in" class="primary" onClick={onSignIn} /> : null
}

/** The name of the user, which leads to the account, if the API has accounts. */
function SignedInUser({ user }: { user: string }) {
  const api = useApi()
  const hasAccount = hasAccounts(api) && /^\d+$/.test(user)
  const name = useMemberName(hasAccount ? accountAddress(api.base, user) : '')
  if (!hasAccount) return <span class="session-user">User {user}</span>
  return (
    <a class="session-user" href={hrefOf({ page: 'account' })} title="Your account">
      {name === user ? `User ${user}` : name}
    </a>
  )
}

function SessionClock(props: { leaving: boolean; onLeave: () => void; onFailure: (error: unknown) => void }) {
  const { leaving, onLeave, onFailure } = props
  const { signedIn, signInRequest, signInAgain } = useApi()
  const session = useObservable(signedIn)
  const asked = useObservable(signInRequest)
  const endsAt = session?.endsAt
  const now = useNow(endsAt !== undefined)
  if (!session) return null
  const left = endsAt === undefined ? undefined : endsAt - now

  return (
    <div class="session">
      <p class="session-who">
        <SignedInUser user={session.user} />
        {left !== undefined && <TimeLeft left={left} />}
      </p>
      {left !== undefined && left <= LAST_MINUTES_MS && !asked && (
        <Button label="Sign in again" class="session-again" onClick={() => signInAgain().catch(onFailure)} />
      )}
      <Button label="Sign out" class="quiet" disabled={leaving} onClick={onLeave} />
      <Status class="visually-hidden">{left === undefined ? '' : announcementAt(left)}</Status>
    </div>
  )
}

function TimeLeft({ left }: { left: number }) {
  if (left <= 0) return <span class="session-time ended">Token expired</span>
  return (
    <time
      class={left <= LAST_MINUTES_MS ? 'session-time ending' : 'session-time'}
      dateTime={duration(left)}
      title={`The token expires at ${clockText(Date.now() + left)}`}
    >
      {remaining(left)}
      <span class="session-left"> left</span>
    </time>
  )
}
