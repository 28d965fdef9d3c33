import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusMain } from './focus.ts'

/** A dialog that is over the page for as long as it is there. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before what is inside looks for its focus.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      // Closed before it is gone: then the focus goes back to where it was, unless that is gone too.
      shown?.close()
      const at = document.activeElement
      if (at === document.body || shown?.contains(at)) focusMain()
    }
  }, [])
  return dialog
}
