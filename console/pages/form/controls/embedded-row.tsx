import type { PropertyDescription } from 'hydrant-client'
import type { ComponentChildren, FunctionComponent } from 'preact'
import { Button } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { isNumber, isObject, kindOf, valueIn } from '../../../shared/values.ts'
import type { EmbeddedDraft, TextDraft } from '../drafts/draft.ts'
import { fieldId } from '../drafts/reading.ts'
import { type FieldProps, Violations } from './field-parts.tsx'
import { ReadOnlyValue } from './read-only-values.tsx'

/** The control for one value of a row. */
export type CellControl = FunctionComponent<FieldProps<TextDraft>>

interface EmbeddedRowProps {
  readonly id: string
  readonly Control: CellControl
  readonly name: string
  readonly number: number
  readonly draft: EmbeddedDraft
  /** Properties that only the server sets. */
  readonly fixed: readonly PropertyDescription[]
  readonly onChange: (draft: EmbeddedDraft) => void
  readonly onKeyDown: (event: KeyboardEvent, column: number) => void
  readonly children: ComponentChildren
}

export function EmbeddedRow(props: EmbeddedRowProps) {
  const { id, name, number, draft, fixed, Control, onChange, onKeyDown, children } = props
  const { given } = draft
  return (
    <tr id={id}>
      <th scope="row">
        {number}
        <Violations id={id} />
      </th>
      {draft.properties.map((one, column) => (
        <td
          key={one.property.name}
          class={alignment(one.property)}
          data-label={labelOf(one.property)}
          onKeyDown={(event) => onKeyDown(event, column)}
        >
          <Control
            id={fieldId(id, column)}
            property={one.property}
            draft={one.draft as TextDraft}
            name={`${name}: ${labelOf(one.property)}`}
            onChange={(changed) => onChange(withValue(draft, column, changed))}
          />
          <Violations id={fieldId(id, column)} />
        </td>
      ))}
      {fixed.map((one) => (
        <td key={one.name} class={alignment(one)} data-label={labelOf(one)}>
          {isObject(given) && <ReadOnlyValue value={valueIn(given, one.name)} property={one} />}
        </td>
      ))}
      {children}
    </tr>
  )
}

export const alignment = (property: PropertyDescription): string =>
  isNumber(kindOf(property)) ? 'number' : ''

const withValue = (row: EmbeddedDraft, column: number, draft: TextDraft): EmbeddedDraft => ({
  ...row,
  properties: row.properties.map((one, index) => (index === column ? { ...one, draft } : one)),
})

interface RowButtonsProps {
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: 1 | -1) => void
  readonly onRemove: () => void
}

export const RowButtons = ({ name, isFirst, isLast, onMove, onRemove }: RowButtonsProps) => (
  <td class="form-row-buttons">
    {/* A button that does nothing keeps the focus, so that a row can be moved on. */}
    <Button
      class="quiet"
      aria-label={`Move ${name} up`}
      aria-disabled={isFirst || undefined}
      onClick={() => onMove(-1)}
    >
      ↑
    </Button>
    <Button
      class="quiet"
      aria-label={`Move ${name} down`}
      aria-disabled={isLast || undefined}
      onClick={() => onMove(1)}
    >
      ↓
    </Button>
    <Button class="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
      ×
    </Button>
  </td>
)
