import type { ComponentChildren } from 'preact'
import { useCallback, useId } from 'preact/hooks'
import { focusMain } from './focus.ts'

interface DialogProps {
  readonly title: string
  readonly class?: string
  readonly onCancel: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, class: look = '', onCancel, children }: DialogProps) {
  const id = useId()
  // By its ref, which is called before any layout effect: the content may take the focus in one.
  const show = useCallback((dialog: HTMLDialogElement | null) => {
    dialog?.showModal()
    return () => {
      // Closing gives the focus back to where it was, unless that element is gone too.
      dialog?.close()
      const at = document.activeElement
      if (at === document.body || dialog?.contains(at)) focusMain()
    }
  }, [])
  return (
    <dialog
      ref={show}
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
