import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import { useCallback, useId, useRef, useState } from 'preact/hooks'
import type { Option } from '../values.ts'
import { focusMain } from './focus.ts'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class' | 'label'> & {
  readonly ref?: Ref<HTMLButtonElement>
  readonly class?: string
  readonly label?: string
  /** The label while it is busy. The button keeps the focus, and further clicks do nothing. */
  readonly busy?: string | false
  /** For a link that looks like a button. */
  readonly href?: string
}

/** Does not submit a form unless its type says so. */
export function Button(props: ButtonProps) {
  const { class: look = '', label, busy = false, href, onClick, children, ...more } = props
  const shared = { class: `button ${look}`, children: busy || (label ?? children) }
  if (href !== undefined) return <a {...shared} href={href} />
  const state = { 'aria-disabled': busy ? true : undefined, onClick: busy ? undefined : onClick }
  return <button type="button" {...more} {...state} {...shared} />
}

interface SelectProps {
  readonly id?: string
  readonly class?: string
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
  readonly [attribute: `aria-${string}`]: string | boolean | undefined
}

export const Select = ({ class: look = '', options, onChange, ...more }: SelectProps) => (
  <select {...more} class={`input ${look}`} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)

/** Copies the text of an element. If the browser refuses, the text is selected instead. `said`: the outcome. */
export function useCopying<E extends HTMLElement>(text: string) {
  const shown = useRef<E>(null)
  const [said, setSaid] = useState('')
  const copy = async () => {
    setSaid('')
    // A page that was loaded over http from another machine has no access to the clipboard.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    if (!copied && shown.current) getSelection()?.selectAllChildren(shown.current)
    setSaid(
      copied
        ? 'Copied.'
        : 'The browser does not allow copying. The text is selected: press Ctrl+C or ⌘C to copy it.',
    )
  }
  return { shown, copy, said }
}

interface DialogProps {
  readonly title: string
  readonly class?: string
  readonly onCancel: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, class: look = '', onCancel, children }: DialogProps) {
  const id = useId()
  // In the ref callback, which runs before layout effects: the content may take the focus in one of those.
  const show = useCallback((dialog: HTMLDialogElement | null) => {
    dialog?.showModal()
    return () => {
      // Closing returns the focus to where it was, unless that element is gone.
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
      <div class="stack wide">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
