import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { hasUnsavedChanges, holdUnsaved } from './unsaved.ts'

export interface Leaving {
  /** The question, while there is one. */
  readonly question: preact.JSX.Element | null
  /** From now on nobody is asked: what was typed is saved. */
  readonly release: () => void
}

/** Whoever leaves with changes that are not saved is asked, whichever way they go. */
export function useLeaving(dirty: boolean): Leaving {
  const [wanted, setWanted] = useState<string>()
  const free = useRef(false)
  const letGo = useRef(() => {})
  useEffect(() => {
    if (!dirty) return
    const here = location.href
    if (!free.current) letGo.current = holdUnsaved()
    const onMove = () => {
      if (free.current || location.href === here) return
      setWanted(location.hash)
      // HTML §7.4.6.2: `hashchange`, which the console follows, comes after this, and finds nothing changed.
      history.pushState(null, '', here)
    }
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const href = link?.getAttribute('href') ?? ''
      const isElsewhere =
        event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
      if (free.current || isElsewhere || !href.startsWith('#') || link?.href === here) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(href)
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!free.current) event.preventDefault()
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

  const release = () => {
    free.current = true
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

interface LeaveDialogProps {
  readonly onStay: () => void
  readonly onLeave: () => void
}

export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="dialog form-leave" ref={dialog} aria-labelledby="form-leave-title" onClose={onStay}>
      <h2 id="form-leave-title">Leave without saving?</h2>
      <p>What you have typed here would be lost.</p>
      <div class="actions">
        <Button class="primary" onClick={() => dialog.current?.close()}>
          Stay
        </Button>
        <Button class="danger" onClick={onLeave}>
          Leave
        </Button>
      </div>
    </dialog>
  )
}

type Act = () => void

export interface AskFirst {
  /** Acts at once, or, where something typed would be lost by it, when one says so. */
  readonly askFirst: (act: Act) => void
  /** The question, while there is one. */
  readonly question: preact.JSX.Element | null
}

/** For what takes the page away without a change of address: see `useLeaving` for those. */
export function useAskFirst(): AskFirst {
  const [wanted, setWanted] = useState<{ readonly act: Act }>()
  const stay = () => setWanted(undefined)
  const leave = () => {
    stay()
    wanted?.act()
  }
  return {
    askFirst: (act) => (hasUnsavedChanges() ? setWanted({ act }) : act()),
    question: wanted ? <LeaveDialog onStay={stay} onLeave={leave} /> : null,
  }
}
