import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { focusMain } from './focus.ts'

interface DialogProps {
  readonly title: string
  readonly class?: string
  readonly onCancel: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, class: look = '', onCancel, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // A layout effect: it runs before the content takes the focus.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      // Closing gives the focus back to where it was, unless that element is gone too.
      shown?.close()
      const at = document.activeElement
      if (at === document.body || shown?.contains(at)) focusMain()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${look}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <div class="dialog-content">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
