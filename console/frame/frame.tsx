import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { AddressForm, type ApiSwitch, ApiSwitchContext } from '../pages/sign-in/index.ts'
import { sentenceOf, useApi } from '../shared/connection/index.ts'
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
  useNow,
} from '../shared/controls/index.ts'
import { hrefOf, type Route } from '../shared/names.ts'
import { useStore } from '../shared/state.ts'
import { WirePanel } from '../shared/wire/index.ts'
import { Navigation } from './navigation.tsx'
import { AnnouncementRegion, ChangeNotice, OtherNameNotice } from './notices.tsx'

interface FrameProps {
  readonly route: Route
  readonly onSignOut: () => Promise<void>
  readonly onReload: () => void
  readonly children: ComponentChildren
}

export function Frame({ route, onSignOut, onReload, children }: FrameProps) {
  const { documentation, base } = useApi()
  const [wire, setWire] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { askFirst, question } = useLeaving()
  const toggle = useRef<HTMLButtonElement>(null)
  const position = useRef(0)
  const title = documentation.title || new URL(base).host
  useEffect(() => setFailure(undefined), [route])

  const apis = useContext(ApiSwitchContext)
  const asking: ApiSwitch = { ...apis, open: (connection) => askFirst(() => apis.open(connection)) }
  const signOut = () => {
    setLeaving(true)
    onSignOut()
  }
  const openWire = (open: boolean) => {
    position.current = scrolled()
    setWire(open)
    if (!open) toggle.current?.focus({ preventScroll: true })
  }
  // The page keeps its scroll position when the wire view opens or closes.
  useLayoutEffect(() => scrollTo(position.current), [wire])

  return (
    <ApiSwitchContext.Provider value={asking}>
      <div class="frame">
        {/* Not a link: the part of the address after `#` names the page. */}
        <button type="button" class="skip" onClick={focusMain}>
          Skip to the content
        </button>
        <header class="bar">
          <a class="brand" href={hrefOf({ page: 'home' })} title={title}>
            <img src="icon.svg" alt="" width="26" height="26" />
            <span>{title}</span>
          </a>
          <code class="bar-address" title={base}>
            {base}
          </code>
          <Button
            ref={toggle}
            label="Wire"
            class="quiet"
            title="What goes over the wire"
            aria-expanded={wire}
            onClick={() => openWire(!wire)}
          />
          <SessionClock leaving={leaving} onLeave={() => askFirst(signOut)} onFailure={setFailure} />
        </header>
        <Navigation route={route} onOtherApi={() => setChoosing(true)} />
        <div class="middle">
          <ChangeNotice onReload={() => askFirst(onReload)} />
          <OtherNameNotice />
          <div class="frame-failure" role="alert">
            {failure !== undefined && <p class="failure">{sentenceOf(failure)}</p>}
          </div>
          {children}
        </div>
        {wire && <WirePanel onClose={() => openWire(false)} />}
        {choosing && <OtherApiDialog onClose={() => setChoosing(false)} />}
        {question}
        <AnnouncementRegion />
      </div>
    </ApiSwitchContext.Provider>
  )
}

function OtherApiDialog({ onClose }: { onClose: () => void }) {
  const session = useStore(useApi().signedIn)
  return (
    <Dialog title="Look at another API" onCancel={onClose}>
      {session && <p>You will be signed out of this one, and its token revoked.</p>}
      <AddressForm focused moreButtons={<Button label="Cancel" class="quiet" onClick={onClose} />} />
    </Dialog>
  )
}

function SessionClock(props: { leaving: boolean; onLeave: () => void; onFailure: (error: unknown) => void }) {
  const { leaving, onLeave, onFailure } = props
  const { signedIn, question, signInAgain } = useApi()
  const session = useStore(signedIn)
  const asked = useStore(question)
  const endsAt = session?.endsAt
  const now = useNow(endsAt !== undefined)
  if (!session) return null
  const left = endsAt === undefined ? undefined : endsAt - now

  return (
    <div class="session">
      <p class="session-who">
        <span class="session-user">User {session.user}</span>
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
  if (left <= 0) return <span class="session-time ended">Token ended</span>
  return (
    <time
      class={left <= LAST_MINUTES_MS ? 'session-time ending' : 'session-time'}
      dateTime={duration(left)}
      title={`The token ends at ${clockText(Date.now() + left)}`}
    >
      {remaining(left)}
      <span class="session-left"> left</span>
    </time>
  )
}
