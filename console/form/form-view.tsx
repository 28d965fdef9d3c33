import type { ComponentChildren } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { ErrorSummary } from './error-summary.tsx'
import { ViolationsContext } from './field-parts.tsx'
import type { Placed } from './places.ts'
import { byPlace } from './problems.ts'
import { PropertyFields } from './property-field.tsx'
import type { Form } from './use-form.ts'

interface FormViewProps {
  readonly form: Form
  readonly label: string
  readonly submitLabel: string
  readonly cancelHref: string
  /** Told what the browser itself could not read. */
  readonly onSubmit: (unread: readonly Placed[]) => void
  /** Stands beside the buttons. */
  readonly note?: string
  /** What can be done about the problems. */
  readonly remedy?: ComponentChildren
  /** After the fields. */
  readonly children?: ComponentChildren
}

/** The form of a member: what is wrong, the fields, the buttons. */
export function FormView({ form, label, submitLabel, cancelHref, onSubmit, ...more }: FormViewProps) {
  const element = useRef<HTMLFormElement>(null)
  const { drafts, setDrafts, problems, busy } = form
  const violations = useMemo(() => byPlace(problems?.list ?? []), [problems])
  const submit = (event: Event) => {
    event.preventDefault()
    onSubmit(element.current ? unreadDates(element.current) : [])
  }
  return (
    <ViolationsContext.Provider value={violations}>
      <form class="form" ref={element} noValidate aria-label={label} aria-busy={busy} onSubmit={submit}>
        {problems && <ErrorSummary problems={problems}>{more.remedy}</ErrorSummary>}
        <div class="form-fields">
          <PropertyFields drafts={drafts} place="" onChange={setDrafts} />
          {more.children}
        </div>
        <div class="form-actions">
          <button type="submit" class="button primary" aria-disabled={busy}>
            {busy ? 'Saving …' : submitLabel}
          </button>
          <a class="button" href={cancelHref}>
            Cancel
          </a>
          <p class="hint" role="status">
            {more.note}
          </p>
        </div>
      </form>
    </ViolationsContext.Provider>
  )
}

/** A date that is half typed has no value at all; it is not the same as none. */
const unreadDates = (form: HTMLFormElement): readonly Placed[] =>
  [...form.querySelectorAll('input')]
    .filter(({ validity }) => validity.badInput)
    .map(({ id }) => ({ place: id, sentence: 'This date is not complete, or not in the calendar.' }))
