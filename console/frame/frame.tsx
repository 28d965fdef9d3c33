import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { AddressForm, BackToServed } from '../pages/sign-in/address-form.tsx'
import { useApi } from '../shared/api.ts'
import type { Connection } from '../shared/connection/connection.ts'
import { Button } from '../shared/controls/button.tsx'
import { sentenceOf } from '../shared/controls/error-sentence.ts'
import { focusMain, scrolled, scrollTo } from '../shared/controls/focus.ts'
import { useAskFirst } from '../shared/controls/leaving.tsx'
import { useModal } from '../shared/controls/modal.ts'
import { hrefOf, type Route } from '../shared/routes.ts'
import { useStore } from '../shared/store.ts'
import { WirePanel } from '../shared/wire/wire-panel.tsx'
import { Navigation } from './navigation.tsx'
import { AnnouncementRegion, ChangeNotice, OtherNameNotice } from './notices.tsx'
import { SessionClock } from './session-clock.tsx'

interface FrameProps {
  readonly route: Route
  /** The API that the page came with. */
  readonly served: string
  readonly onLeave: () => Promise<void>
  readonly onOpened: (connection: Connection) => void
  readonly onBack: () => void
  /** The same API, read anew, on the same page. */
  readonly onReload: () => void
  readonly children: ComponentChildren
}

/** What stands around every page: which API this is, who is signed in, and the way to everything. */
export function Frame(props: FrameProps) {
  const { route, served, onLeave, onOpened, onBack, onReload, children } = props
  const { documentation, base } = useApi()
  const [wire, setWire] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { askFirst, question } = useAskFirst()
  const toggle = useRef<HTMLButtonElement>(null)
  const place = useRef(0)
  const title = documentation.title || new URL(base).host
  useEffect(() => setFailure(undefined), [route])

  const leave = () => {
    setLeaving(true)
    onLeave()
  }
  const openWire = (open: boolean) => {
    place.current = scrolled()
    setWire(open)
    if (!open) toggle.current?.focus({ preventScroll: true })
  }
  // What one was looking at stays where it was.
  useLayoutEffect(() => scrollTo(place.current), [wire])

  return (
    <div class="frame">
      {/* Not a link: what stands after `#` in the address is the page's name. */}
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
        <button
          ref={toggle}
          type="button"
          class="button quiet"
          title="What goes over the wire"
          aria-expanded={wire}
          onClick={() => openWire(!wire)}
        >
          Wire
        </button>
        <SessionClock leaving={leaving} onLeave={() => askFirst(leave)} onFailure={setFailure} />
      </header>
      <Navigation route={route} onOtherApi={() => setChoosing(true)} />
      <div class="middle">
        <ChangeNotice onReload={() => askFirst(onReload)} />
        <OtherNameNotice onOpened={(connection) => askFirst(() => onOpened(connection))} />
        <div class="frame-failure" role="alert">
          {failure !== undefined && <p class="failure">{sentenceOf(failure)}</p>}
        </div>
        {children}
      </div>
      {wire && <WirePanel onClose={() => openWire(false)} />}
      {choosing && (
        <OtherApiDialog
          served={served}
          onOpened={(connection) => askFirst(() => onOpened(connection))}
          onBack={() => askFirst(onBack)}
          onClose={() => setChoosing(false)}
        />
      )}
      {question}
      <AnnouncementRegion />
    </div>
  )
}

interface OtherApiDialogProps {
  readonly served: string
  /** There is an API where one wants to go. */
  readonly onOpened: (connection: Connection) => void
  readonly onBack: () => void
  readonly onClose: () => void
}

/** From one API to another; whoever is signed in at this one is signed out. */
export function OtherApiDialog({ served, onOpened, onBack, onClose }: OtherApiDialogProps) {
  const { base, signedIn } = useApi()
  const session = useStore(signedIn)
  const dialog = useModal()
  const title = useId()
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={title} onCancel={onClose}>
      <div class="dialog-content">
        <h2 id={title}>Look at another API</h2>
        {session && <p>You will be signed out of this one, and its token revoked.</p>}
        <AddressForm
          address={base}
          onOpened={onOpened}
          focused
          actions={
            <>
              <BackToServed base={base} served={served} onBack={onBack} />
              <Button class="quiet" onClick={onClose}>
                Cancel
              </Button>
            </>
          }
        />
      </div>
    </dialog>
  )
}
