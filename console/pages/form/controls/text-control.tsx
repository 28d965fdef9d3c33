import type { PropertyDescription } from '../../../../src/client/index.ts'
import { isNumber } from '../../../shared/values/index.ts'
import { boundsOf } from '../drafts/checks.ts'
import type { TextDraft } from '../drafts/draft.ts'
import type { Described } from './field-parts.tsx'
import { submitOnEnter } from './focus.ts'

export interface ControlProps extends Described {
  readonly id: string
  readonly property: PropertyDescription
  readonly draft: TextDraft
  readonly alone: boolean
  /** For a control without a visible label. */
  readonly name?: string | undefined
  readonly onText: (text: string) => void
}

export const tied = ({ id, property, name, describedBy, invalid }: ControlProps) => ({
  id,
  'aria-label': name,
  'aria-describedby': describedBy,
  'aria-invalid': invalid || undefined,
  'aria-required': property.required || undefined,
})

/** A title fits a line; a longer text needs several to be read. */
const LINE = 250

export function TextControl(props: ControlProps) {
  const { draft, onText } = props
  const isJson = draft.kind === 'json'
  if (isJson || isLong(props)) {
    return (
      <textarea
        {...tied(props)}
        class={`input form-long${isJson ? ' mono' : ''}`}
        // For a browser that does not let it grow by itself.
        rows={Math.min(12, draft.text.split('\n').length)}
        value={draft.text}
        onKeyDown={isJson ? undefined : submitOnEnter}
        placeholder={isJson ? undefined : 'Shift+Enter for a new line'}
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

/** A text with line ends keeps them, whatever its length: a field of one line would remove them. */
function isLong({ property: { constraints, name }, draft, alone }: ControlProps): boolean {
  if (draft.kind !== 'text') return false
  if (/[\n\r]/.test(draft.text)) return true
  if (!alone || constraints.pattern || constraints.unique || SHORT.test(name)) return false
  return (constraints.maxLength ?? LINE + 1) > LINE
}

const SHORT = /^(name|title|label|headline|subject|email|phone)$|(Name|Title|Email)$/

const isNarrow = ({ draft: { kind }, property: { constraints } }: ControlProps): boolean =>
  isNumber(kind) || kind === 'time' || kind === 'duration' || (constraints.maxLength ?? LINE) <= 20

/** Keyboards for digits may have no minus. */
function inputMode({ draft: { kind }, property }: ControlProps): 'numeric' | 'decimal' | 'url' | 'text' {
  if (kind === 'iri') return 'url'
  if (!isNumber(kind) || !(Number(boundsOf(property).least) >= 0)) return 'text'
  return kind === 'integer' ? 'numeric' : 'decimal'
}
