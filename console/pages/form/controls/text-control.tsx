import type { PropertyDescription } from '../../../../src/client/index.ts'
import { boundsOf } from '../drafts/checks.ts'
import type { TextDraft } from '../drafts/draft.ts'
import type { Described } from './field-parts.tsx'
import { submitOnEnter } from './focus.ts'

/** A title fits a line; beyond that a line is too short to read what one has written. */
const LINE = 250

/** One line, or one that grows with its text. */
export function TextControl(props: ControlProps & { readonly alone: boolean }) {
  const { draft, onText } = props
  if (draft.kind === 'json' || isLong(props)) {
    return (
      <textarea
        {...tied(props)}
        class={`input form-long${draft.kind === 'json' ? ' mono' : ''}`}
        rows={rowsFor(draft.text)}
        value={draft.text}
        // What is written as JSON has lines from the start.
        onKeyDown={draft.kind === 'json' ? undefined : submitOnEnter}
        placeholder={draft.kind === 'json' ? undefined : 'Shift+Enter for a new line'}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )
  }
  return (
    <input
      {...tied(props)}
      class={`input ${isNarrow(props) ? 'form-narrow' : ''}`}
      type="text"
      inputMode={inputMode(props)}
      autocomplete="off"
      value={draft.text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

/** For a browser that does not let it grow by itself. */
const rowsFor = (text: string): number => Math.min(12, text.split('\n').length)

/** What has lines keeps them, whatever its length: a field of one line would take them away. */
function isLong({
  property: { constraints, name },
  draft,
  alone,
}: ControlProps & { readonly alone: boolean }): boolean {
  if (draft.kind !== 'text') return false
  if (/[\n\r]/.test(draft.text)) return true
  if (!alone || constraints.pattern || constraints.unique || SHORT.test(name)) return false
  return (constraints.maxLength ?? LINE + 1) > LINE
}

/** What things are called by. */
const SHORT = /^(name|title|label|headline|subject|email|phone)$|(Name|Title|Email)$/

const NUMBERS = ['integer', 'decimal', 'double']

const isNarrow = ({ draft: { kind }, property: { constraints } }: ControlProps): boolean =>
  NUMBERS.includes(kind) || kind === 'time' || kind === 'duration' || (constraints.maxLength ?? LINE) <= 20

/** Keyboards for digits may have no minus. */
function inputMode({ draft: { kind }, property }: ControlProps): 'numeric' | 'decimal' | 'url' | 'text' {
  if (kind === 'iri') return 'url'
  if (!NUMBERS.includes(kind) || !(Number(boundsOf(property).least) >= 0)) return 'text'
  return kind === 'integer' ? 'numeric' : 'decimal'
}

/** What every control for one typed value is given. */
export interface ControlProps extends Described {
  /** The id. */
  readonly place: string
  readonly property: PropertyDescription
  readonly draft: TextDraft
  /** For a control that has no label to be seen. */
  readonly name?: string | undefined
  readonly onText: (text: string) => void
}

/** What ties a control to its label, its hint and what is wrong with it. */
export const tied = ({ place, property, name, describedBy, invalid }: ControlProps) => ({
  id: place,
  'aria-label': name,
  'aria-describedby': describedBy,
  'aria-invalid': invalid || undefined,
  'aria-required': property.required || undefined,
})
