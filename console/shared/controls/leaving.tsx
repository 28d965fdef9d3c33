import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { hasUnsavedChanges, holdUnsaved } from './unsaved.ts'

/** Asks before a change of address, by a link or the history, loses unsaved changes. */
export function useLeaving(dirty: boolean) {
  const [wanted, setWanted] = useState<string>()
  const released = useRef(false)
  const letGo = useRef(() => {})
  useEffect(() => {
    if (!dirty) return
    const here = location.href
    if (!released.current) letGo.current = holdUnsaved()
    const onMove = () => {
      if (released.current || location.href === here) return
      setWanted(location.hash)
      // HTML §7.4.6.2: `hashchange`, which the console follows, comes after this, and finds nothing changed.
      history.pushState(null, '', here)
    }
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const href = link?.getAttribute('href') ?? ''
      const isElsewhere =
        event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
      if (released.current || isElsewhere || !href.startsWith('#') || link?.href === here) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(href)
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault()
    }
    addEventListener('popstate', onMove)
    document.addEventListener('click', onClick, true)
    addEventListener('beforeunload', onUnload)
    return () => {
      letGo.current()
      removeEventListener('popstate', onMove)
      document.removeEventListener('click', onClick, true)
      removeEventListener('beforeunload', onUnload)
    }
  }, [dirty])

  /** Stops asking: what was typed has been saved. */
  const release = () => {
    released.current = true
    letGo.current()
  }
  const leave = () => {
    release()
    location.hash = wanted ?? ''
  }
  return {
    question:
      wanted === undefined ? null : <LeaveDialog onStay={() => setWanted(undefined)} onLeave={leave} />,
    release,
  }
}

/** Asks before an act that takes the page away without a change of address, such as signing out. */
export function useAskFirst() {
  const [wanted, setWanted] = useState<{ readonly act: () => void }>()
  const stay = () => setWanted(undefined)
  const leave = () => {
    stay()
    wanted?.act()
  }
  return {
    askFirst: (act: () => void) => (hasUnsavedChanges() ? setWanted({ act }) : act()),
    question: wanted ? <LeaveDialog onStay={stay} onLeave={leave} /> : null,
  }
}

const LeaveDialog = ({ onStay, onLeave }: { readonly onStay: () => void; readonly onLeave: () => void }) => (
  <Dialog title="Leave without saving?" onCancel={onStay}>
    <p>What you have typed here would be lost.</p>
    <div class="actions">
      <Button label="Stay" class="primary" onClick={onStay} />
      <Button label="Leave" class="danger" onClick={onLeave} />
    </div>
  </Dialog>
)
