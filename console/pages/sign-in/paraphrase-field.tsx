import type { RefObject } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'

interface ParaphraseFieldProps {
  /** Whoever reads it, reads it here. */
  readonly field: RefObject<HTMLInputElement | null>
  readonly busy: boolean
  readonly isForeign: boolean
  readonly wrong: boolean
  readonly about: string | undefined
  /** The id of what says why. */
  readonly error: string | undefined
}

export function ParaphraseField({ field, busy, isForeign, wrong, about, error }: ParaphraseFieldProps) {
  const [shown, setShown] = useState(false)
  const id = useId()
  // Nobody reads it from the screen while one waits.
  useEffect(() => {
    if (busy) setShown(false)
  }, [busy])
  return (
    <div class="field">
      <label for={id}>Paraphrase</label>
      <div class="sign-in-paraphrase">
        <input
          ref={field}
          id={id}
          class="input"
          {...(shown ? { type: 'text' } : { type: 'password' })}
          name="password"
          // What a browser keeps for this page is for the API that it came with, and fills in no other form.
          autocomplete={isForeign ? 'new-password' : 'current-password'}
          autocapitalize="none"
          spellcheck={false}
          required
          readOnly={busy}
          aria-invalid={wrong}
          aria-describedby={[error, about && `${id}about`].filter(Boolean).join(' ') || undefined}
        />
        <button type="button" class="button quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
          Show
        </button>
      </div>
      {about && (
        <p class="hint" id={`${id}about`}>
          {about}
        </p>
      )}
    </div>
  )
}
