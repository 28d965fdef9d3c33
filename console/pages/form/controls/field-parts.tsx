import type { PropertyDescription } from 'hydrant-client'
import { type ComponentChild, type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useApi } from '../../../shared/connection/index.ts'
import { Unit } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { isNumber, type Kind, typedKindOf } from '../../../shared/values.ts'
import type { Draft, TextDraft } from '../drafts/draft.ts'
import type { FormProblem } from '../drafts/reading.ts'
import { boundsOf } from '../drafts/typed-text.ts'

export interface FieldProps<D extends Draft = Draft> {
  readonly id: string
  readonly property: PropertyDescription
  readonly draft: D
  /** The name of one of several values. */
  readonly name?: string | undefined
  readonly onChange: (draft: D) => void
}

const CONTROLS = 'input, select, textarea, button'

export function focusField(id: string): void {
  const found = document.getElementById(id)
  const control = found?.matches(CONTROLS) ? found : found?.querySelector<HTMLElement>(CONTROLS)
  const target = control ?? found
  target?.focus()
  // With its label and its violations in view.
  target?.scrollIntoView({ block: 'center' })
}

/** Problems, by the id of their field. */
export const ProblemsContext = createContext<ReadonlyMap<string | undefined, readonly FormProblem[]>>(
  new Map(),
)

export function useDescribed(id: string, isHinted: boolean) {
  const invalid = useContext(ProblemsContext).has(id)
  const ids = [isHinted && `${id}-hint`, invalid && `${id}-violation`].filter(Boolean)
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': invalid || undefined }
}

/** Attributes that connect a control with its name, its hint and its violations. */
export function useFieldAttributes({ id, property, draft, name }: FieldProps<TextDraft>) {
  const described = useDescribed(id, name === undefined && hintsOf(property, draft.kind).length > 0)
  return { id, 'aria-label': name, 'aria-required': property.required || undefined, ...described }
}

export function Hint({ id, property, kind }: { id: string; property: PropertyDescription; kind: Kind }) {
  const [first, ...others] = hintsOf(property, kind)
  return first ? (
    <p class="hint" id={`${id}-hint`}>
      {[first, ...others.map((hint) => [' · ', hint])]}
    </p>
  ) : null
}

export function Violations({ id }: { id: string }) {
  const problems = useContext(ProblemsContext).get(id)
  return problems ? (
    <p class="violation" id={`${id}-violation`}>
      {problems.map(({ sentence }) => sentence).join(' ')}
    </p>
  ) : null
}

/** Hidden from screen readers, which use `aria-required`. */
export const RequiredMark = ({ required }: { required: boolean }) =>
  required ? (
    <span class="form-mark" aria-hidden="true">
      required
    </span>
  ) : null

interface GroupProps extends Omit<FieldProps, 'draft' | 'onChange'> {
  readonly class?: string
  readonly children: ComponentChildren
}

export function Group({ id, property, name, children, class: look = '' }: GroupProps) {
  const kind = typedKindOf(property, useApi().documentation)
  const { 'aria-describedby': describedBy } = useDescribed(id, hintsOf(property, kind).length > 0)
  return (
    <fieldset id={id} class={`form-group ${look}`} tabIndex={-1} aria-describedby={describedBy}>
      <legend>
        {name ?? labelOf(property)}
        {name === undefined && <Unit unit={property.unit} />}{' '}
        <RequiredMark required={property.required && name === undefined} />
      </legend>
      <Hint id={id} property={property} kind={kind} />
      {children}
      <Violations id={id} />
    </fieldset>
  )
}

const EXAMPLES: Partial<Record<Kind, string>> = {
  time: 'For example 12:30:00 or 12:30:00+02:00',
  duration: 'For example P1Y2M10D (a year, two months, ten days) or PT2H30M',
  iri: 'A full address such as https://example.org/about',
  languages: 'A text for each language: en, de-CH, …',
  json: 'Text or JSON: a number, true, a list, an object',
}

/** Longer limits are not mentioned, since they are hardly reached by accident. */
const LONG = 100

function hintsOf(property: PropertyDescription, kind: Kind): readonly ComponentChild[] {
  const { description, constraints, example } = property
  const { minLength = 0, maxLength = LONG, unique, values, pattern } = constraints
  const hints = [
    description,
    !values && (example === undefined ? EXAMPLES[kind] : `For example ${example}`),
    !values && isNumber(kind) && boundsHint(property),
    minLength > 1 && `At least ${minLength} characters`,
    maxLength < LONG && `At most ${maxLength} characters`,
    unique && 'Must be unique',
    // A description or an example is expected to explain the pattern.
    pattern &&
      !description &&
      example === undefined && ['Must match the pattern ', <code key="pattern">{pattern}</code>],
  ]
  return hints.filter(Boolean)
}

function boundsHint(property: PropertyDescription): string {
  const { least, most } = boundsOf(property)
  if (least !== undefined && most !== undefined) return `From ${least} to ${most}`
  if (least !== undefined) return `At least ${least}`
  return most === undefined ? '' : `At most ${most}`
}
