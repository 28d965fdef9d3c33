import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PropertyDescription } from '../../../../src/client/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { isNumber, type Kind } from '../../../shared/values.ts'
import { boundsOf } from '../drafts/checks.ts'
import type { Draft, TextDraft } from '../drafts/draft.ts'

export interface FieldProps<D extends Draft = Draft> {
  readonly id: string
  readonly property: PropertyDescription
  readonly draft: D
  /** Of one among several values. */
  readonly name?: string | undefined
  readonly onChange: (draft: D) => void
}

export const ViolationsContext = createContext<ReadonlyMap<string, readonly string[]>>(new Map())

export function useDescribed(id: string, hasHint: boolean) {
  const invalid = useContext(ViolationsContext).has(id)
  const ids = [hasHint && `${id}-hint`, invalid && `${id}-violation`].filter(Boolean)
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': invalid || undefined }
}

/** What ties a control to its name, its hint and its violations. */
export const useTied = ({ id, property, draft, name }: Omit<FieldProps<TextDraft>, 'onChange'>) => ({
  id,
  'aria-label': name,
  'aria-required': property.required || undefined,
  ...useDescribed(id, name === undefined && hasHint(property, draft.kind)),
})

export function Hint({ id, property, kind }: { id: string; property: PropertyDescription; kind: Kind }) {
  if (!hasHint(property, kind)) return null
  const text = hintOf(property, kind)
  const pattern = patternHint(property)
  return (
    <p class="hint" id={`${id}-hint`}>
      {text}
      {text && pattern && ' · '}
      {pattern && (
        <>
          Must match the pattern <code>{pattern}</code>
        </>
      )}
    </p>
  )
}

export function Violations({ id }: { id: string }) {
  const sentences = useContext(ViolationsContext).get(id)
  return sentences ? (
    <p class="violation" id={`${id}-violation`}>
      {sentences.join(' ')}
    </p>
  ) : null
}

/** For the eye: screen readers have `aria-required`. */
export const RequiredMark = ({ required }: { required: boolean }) =>
  required ? (
    <span class="form-mark" aria-hidden="true">
      required
    </span>
  ) : null

interface GroupProps extends Omit<FieldProps, 'draft' | 'onChange'> {
  readonly kind: Kind
  readonly class?: string
  readonly children: ComponentChildren
}

export function Group({ id, property, kind, name, children, class: look = '' }: GroupProps) {
  const { 'aria-describedby': describedBy } = useDescribed(id, hasHint(property, kind))
  return (
    <fieldset id={id} class={`form-group ${look}`} tabIndex={-1} aria-describedby={describedBy}>
      <legend>
        {name ?? labelOf(property)} <RequiredMark required={property.required && name === undefined} />
      </legend>
      <Hint id={id} property={property} kind={kind} />
      {children}
      <Violations id={id} />
    </fieldset>
  )
}

const EXAMPLES: Partial<Record<Kind, string>> = {
  time: 'Such as 12:30:00 or 12:30:00+02:00',
  duration: 'Such as P1Y2M10D (a year, two months, ten days) or PT2H30M',
  iri: 'A full address such as https://example.org/about',
  languages: 'A text for each language: en, de-CH, …',
  json: 'Text, or JSON: a number, true, a list, an object',
}

/** A longer limit is hardly reached by accident, and not mentioned. */
const LONG = 100

function hintOf(property: PropertyDescription, kind: Kind): string {
  const { minLength, maxLength, unique, values } = property.constraints
  const parts = [property.description, values ? '' : EXAMPLES[kind], values ? '' : boundsHint(property, kind)]
  if (minLength !== undefined && minLength > 1) parts.push(`At least ${minLength} characters`)
  if (maxLength !== undefined && maxLength < LONG) parts.push(`At most ${maxLength} characters`)
  if (unique) parts.push('Must be unique')
  return parts.filter(Boolean).join(' · ')
}

/** The pattern, where no description explains it. */
const patternHint = ({ description, constraints }: PropertyDescription): string =>
  description ? '' : (constraints.pattern ?? '')

const hasHint = (property: PropertyDescription, kind: Kind): boolean =>
  hintOf(property, kind) !== '' || patternHint(property) !== ''

function boundsHint(property: PropertyDescription, kind: Kind): string {
  if (!isNumber(kind)) return ''
  const { least, most } = boundsOf(property)
  if (least !== undefined && most !== undefined) return `From ${least} to ${most}`
  if (least !== undefined) return `At least ${least}`
  return most === undefined ? '' : `At most ${most}`
}
