import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'

interface GroupProps {
  readonly place: string
  readonly label: string
  readonly hint?: string
  readonly pattern?: string
  readonly required?: boolean
  readonly class?: string
  /** Stands beside the name. */
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

/** Several controls under one name. */
export function Group({ place, label, hint = '', required = false, action, children, ...more }: GroupProps) {
  const { describedBy } = useDescribed(place, hint || (more.pattern ?? ''))
  return (
    <fieldset
      id={place}
      class={`form-group ${more.class ?? ''}`}
      tabIndex={-1}
      aria-describedby={describedBy}
    >
      <legend>
        {label} <RequiredMark required={required} />
      </legend>
      {action && <div class="form-group-action">{action}</div>}
      <Hint place={place} text={hint} pattern={more.pattern ?? ''} />
      {children}
      <Violations place={place} />
    </fieldset>
  )
}

/** What is wrong, by the place of the field. */
export const ViolationsContext = createContext<ReadonlyMap<string, readonly string[]>>(new Map())

/** How a control is tied to its hint and to what is wrong with it. */
export interface Described {
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

export function useDescribed(place: string, hint: string): Described {
  const invalid = useContext(ViolationsContext).has(place)
  const ids = [hint && hintId(place), invalid && violationId(place)].filter(Boolean)
  return { describedBy: ids.join(' ') || undefined, invalid }
}

const hintId = (place: string): string => `${place}-hint`
const violationId = (place: string): string => `${place}-violation`

interface HintProps {
  readonly place: string
  readonly text: string
  readonly pattern?: string
}

export function Hint({ place, text, pattern }: HintProps) {
  if (!text && !pattern) return null
  return (
    <p class="hint" id={hintId(place)}>
      {text}
      {text && pattern && ' · '}
      {pattern && (
        <>
          Must match the pattern <code class="form-pattern">{pattern}</code>
        </>
      )}
    </p>
  )
}

export function Violations({ place }: { readonly place: string }) {
  const sentences = useContext(ViolationsContext).get(place)
  return sentences ? (
    <p class="violation" id={violationId(place)}>
      {sentences.join(' ')}
    </p>
  ) : null
}

/** For the eye: `aria-required` says it to the ear. */
export function RequiredMark({ required }: { readonly required: boolean }) {
  return required ? (
    <span class="form-mark" aria-hidden="true">
      required
    </span>
  ) : null
}
