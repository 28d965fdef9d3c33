import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Button } from '../../shared/controls/button.tsx'
import { ViolationsContext } from './controls/field-parts.tsx'
import { focusPlace } from './controls/focus.ts'
import { PropertyFields } from './controls/property-field.tsx'
import type { Placed } from './drafts/field-ids.ts'
import { byPlace, type Problems } from './drafts/problems.ts'
import type { Form } from './use-form.ts'

interface FormViewProps {
  readonly form: Form
  readonly label: string
  readonly submitLabel: string
  /** Where the way back leads, or what it does. */
  readonly cancel: string | (() => void)
  /** Told what the browser itself could not read. */
  readonly onSubmit: (unread: readonly Placed[]) => void
  /** What the ids of its fields begin with, where the page has another form. */
  readonly root?: string
  /** Stands beside the buttons. */
  readonly note?: string
  /** What can be done about the problems. */
  readonly remedy?: ComponentChildren
  /** After the fields. */
  readonly children?: ComponentChildren
}

/** As places are called where a form is alone. */
const ROOT = 'field'

/** The form of a member: what is wrong, the fields, the buttons. */
export function FormView({
  form,
  label,
  submitLabel,
  cancel,
  onSubmit,
  root = ROOT,
  ...more
}: FormViewProps) {
  const element = useRef<HTMLFormElement>(null)
  const { drafts, setDrafts, busy } = form
  const problems = useMemo(() => form.problems && placedBelow(form.problems, root), [form.problems, root])
  const violations = useMemo(() => byPlace(problems?.list ?? []), [problems])
  const submit = (event: Event) => {
    event.preventDefault()
    onSubmit(element.current ? unreadMoments(element.current, root) : [])
  }
  const onInput = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && !target.validity.badInput)
      form.settle(target.id.replace(root, ROOT))
  }
  return (
    <ViolationsContext.Provider value={violations}>
      <form
        class="form"
        ref={element}
        noValidate
        aria-label={label}
        aria-busy={busy}
        onInput={onInput}
        onSubmit={submit}
      >
        {problems && (
          <ErrorSummary id={`${root}-summary`} problems={problems}>
            {more.remedy}
          </ErrorSummary>
        )}
        <div class="form-fields">
          <PropertyFields drafts={drafts} place={root} onChange={setDrafts} />
          {more.children}
        </div>
        <div class="form-actions">
          <Button type="submit" class="primary" aria-disabled={busy}>
            {busy ? 'Saving …' : submitLabel}
          </Button>
          <Cancel cancel={cancel} />
          <p class="hint" role="status">
            {more.note}
          </p>
        </div>
      </form>
    </ViolationsContext.Provider>
  )
}

function Cancel({ cancel }: Pick<FormViewProps, 'cancel'>) {
  return typeof cancel === 'string' ? (
    <a class="button" href={cancel}>
      Cancel
    </a>
  ) : (
    <Button onClick={cancel}>Cancel</Button>
  )
}

/** A form does not know how its ids begin: it is the page that tells several apart. */
const placedBelow = (problems: Problems, root: string): Problems => ({
  ...problems,
  list: problems.list.map((one) => ({ ...one, place: one.place?.replace(ROOT, root) })),
})

/** A date that is half typed has no value at all; it is not the same as none. */
const unreadMoments = (form: HTMLFormElement, root: string): readonly Placed[] =>
  [...form.querySelectorAll('input')]
    .filter(({ validity }) => validity.badInput)
    .map(({ id, type }) => ({
      place: id.replace(root, ROOT),
      sentence: `This ${type === 'date' ? 'date' : 'date or time'} is not complete, or not in the calendar.`,
    }))

interface ErrorSummaryProps {
  /** No other form of the page has it. */
  readonly id: string
  readonly problems: Problems
  readonly children?: ComponentChildren
}

/** Everything that is wrong at once, with the way to each field. Each attempt that failed gives it the focus. */
export function ErrorSummary({ id, problems, children }: ErrorSummaryProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [problems.attempt])
  return (
    <section class="failure form-summary" ref={box} tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{problems.title}</h2>
      <ul>
        {problems.list.map(({ place, sentence }) => (
          <li key={`${place} ${sentence}`}>
            {place === undefined ? sentence : <FieldLink place={place}>{sentence}</FieldLink>}
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}

/** What stands after `#` in the address is the page's name: the way to a field is the focus. */
function FieldLink({ place, children }: { readonly place: string; readonly children: string }) {
  return (
    <a
      href={location.hash}
      onClick={(event) => {
        event.preventDefault()
        focusPlace(place)
      }}
    >
      {children}
    </a>
  )
}
