import { useRef } from 'preact/hooks'
import { useCopying } from '../controls/copying.ts'

interface CommandProps {
  readonly title: string
  readonly button: string
  readonly text: string
}

/** Lines for a shell, to be copied. */
export function Command({ title, button, text }: CommandProps) {
  const shown = useRef<HTMLPreElement>(null)
  const { copy, said } = useCopying(text, shown)
  return (
    <>
      <div class="wire-curl-head">
        <h3>{title}</h3>
        <button type="button" class="button" onClick={copy}>
          {button}
        </button>
        <p class="hint" role="status">
          {said}
        </p>
      </div>
      <pre ref={shown}>{text}</pre>
    </>
  )
}
