import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PropertyDescription } from '../../../../src/client/index.ts'
import { labelOf } from '../../../shared/names.ts'
import type { Kind } from '../../../shared/values.ts'
import { boundsOf } from '../drafts/checks.ts'
import type { Draft } from '../drafts/draft.ts'

export interface FieldProps<D extends Draft = Draft> {
  readonly id: string
  readonly property: PropertyDescription
  readonly draft: D
  readonly onChange: (draft: D) => void
}

export const ViolationsContext = createContext<ReadonlyMap<string, readonly string[]>>(new Map())

export interface Described {
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

export function useDescribed(id: string, hint: string): Described {
  const invalid = useContext(ViolationsContext).has(id)
  const ids = [hint && `${id}-hint`, invalid && `${id}-violation`].filter(Boolean)
  return { describedBy: ids.join(' ') || undefined, invalid }
}

export function Hint({ id, text, pattern }: { id: string; text: string; pattern?: string }) {
  if (!text && !pattern) return null
  return (
    <p class="hint" id={`${id}-hint`}>
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

interface GroupProps {
  readonly id: string
  readonly property: PropertyDescription
  readonly hint: string
  readonly pattern?: string
  /** Of one among several values. */
  readonly name?: string | undefined
  readonly class?: string
  readonly children: ComponentChildren
}

export function Group({ id, property, hint, pattern = '', name, children, ...more }: GroupProps) {
  const { describedBy } = useDescribed(id, hint || pattern)
  return (
    <fieldset id={id} class={`form-group ${more.class ?? ''}`} tabIndex={-1} aria-describedby={describedBy}>
      <legend>
        {name ?? labelOf(property)} <RequiredMark required={property.required && name === undefined} />
      </legend>
      <Hint id={id} text={hint} pattern={pattern} />
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

export function hintOf(property: PropertyDescription, kind: Kind): string {
  const { minLength, maxLength, unique, values } = property.constraints
  const parts = [property.description, values ? '' : EXAMPLES[kind], values ? '' : boundsHint(property, kind)]
  if (minLength !== undefined && minLength > 1) parts.push(`At least ${minLength} characters`)
  if (maxLength !== undefined && maxLength < LONG) parts.push(`At most ${maxLength} characters`)
  if (unique) parts.push('Must be unique')
  return parts.filter(Boolean).join(' · ')
}

/** The pattern, where no description explains it. */
export const patternHint = ({ description, constraints }: PropertyDescription): string =>
  description ? '' : (constraints.pattern ?? '')

function boundsHint(property: PropertyDescription, kind: Kind): string {
  if (kind !== 'integer' && kind !== 'decimal' && kind !== 'double') return ''
  const { least, most } = boundsOf(property)
  if (least !== undefined && most !== undefined) return `From ${least} to ${most}`
  if (least !== undefined) return `At least ${least}`
  return most === undefined ? '' : `At most ${most}`
}
