import type { ComponentChildren } from 'preact'
import { Hint, RequiredMark, useDescribed, Violations } from './field-parts.tsx'

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
