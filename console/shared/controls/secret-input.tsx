import type { RefObject } from 'preact'
import { Button } from './controls.tsx'

interface SecretInputProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly shown: boolean
  readonly onShown: (shown: boolean) => void
  readonly id: string
  readonly name?: string
  readonly autocomplete: 'current-password' | 'new-password'
  readonly readOnly: boolean
  readonly [attribute: `aria-${string}`]: string | boolean | undefined
}

/** A paraphrase. What is typed is in the input alone, and in no state. */
export const SecretInput = ({ field, shown, onShown, ...more }: SecretInputProps) => (
  <div class="secret">
    <input
      {...more}
      ref={field}
      class="input"
      {...(shown ? { type: 'text' } : { type: 'password' })}
      required
      autocapitalize="none"
      spellcheck={false}
    />
    <Button label="Show" class="quiet" aria-pressed={shown} onClick={() => onShown(!shown)} />
  </div>
)
