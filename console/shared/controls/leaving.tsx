import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAbortableEffect } from '../state.ts'
import { Button, Dialog } from './controls.tsx'
import { forgetUnsaved, holdUnsaved, unsavedPage } from './unsaved.ts'

/** Keeps the user on the page while a form has unsaved changes. Call the returned function once they are saved. */
export function useUnsaved(dirty: boolean): () => void {
  const release = useRef(() => {})
  useLayoutEffect(() => {
    if (!dirty) return
    release.current = holdUnsaved(location.href)
    return () => release.current()
  }, [dirty])
  return () => release.current()
}

/** Asks before unsaved changes are lost by following a link, by the history, or by an action such as signing out. */
export function useLeaving() {
  const [wanted, setWanted] = useState<{ readonly act: () => void }>()
  useAbortableEffect((signal) => {
    // An empty address would reload the page.
    const askForMove = (hash: string) => setWanted({ act: () => location.assign(hash || '#/') })
    const onMove = () => {
      const here = unsavedPage()
      if (here === undefined || location.href === here) return
      askForMove(location.hash)
      // HTML §7.4.6.2: `hashchange`, which the console listens to, is fired later, and finds the address unchanged.
      history.pushState(null, '', here)
    }
    const onClick = (event: MouseEvent) => {
      const here = unsavedPage()
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const href = link?.getAttribute('href') ?? ''
      const opensElsewhere =
        event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
      if (here === undefined || opensElsewhere || !href.startsWith('#') || link?.href === here) return
      event.preventDefault()
      event.stopPropagation()
      askForMove(href)
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (unsavedPage() !== undefined) event.preventDefault()
    }
    addEventListener('popstate', onMove, { signal })
    document.addEventListener('click', onClick, { capture: true, signal })
    addEventListener('beforeunload', onUnload, { signal })
  }, [])

  const stay = () => setWanted(undefined)
  const leave = () => {
    stay()
    forgetUnsaved()
    wanted?.act()
  }
  return {
    askFirst: (act: () => void) => (unsavedPage() === undefined ? act() : setWanted({ act })),
    dialog: wanted && (
      <Dialog title="Leave without saving?" onCancel={stay}>
        <p>Your changes will be lost.</p>
        <div class="actions">
          <Button label="Stay" class="primary" onClick={stay} />
          <Button label="Leave" class="danger" onClick={leave} />
        </div>
      </Dialog>
    ),
  }
}
