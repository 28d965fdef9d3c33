import type { ComponentChildren, FunctionComponent } from 'preact'
import { useApi } from '../../../shared/connection/index.ts'
import { Button } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { type LanguageRow, type LanguagesDraft, type ListDraft, newItem } from '../drafts/draft.ts'
import { fieldId, itemLabel } from '../drafts/reading.ts'
import { type FieldProps, focusField, Group, useDescribed, Violations } from './field-parts.tsx'
import { endsLine, useRows } from './list-rows.ts'
import { hasLines, TextInput } from './text-controls.tsx'

type ListGroupProps = FieldProps<ListDraft> & { readonly Item: FunctionComponent<FieldProps> }

export function ListGroup({ id, property, draft, onChange, Item }: ListGroupProps) {
  const { documentation } = useApi()
  const { items } = draft
  const rows = useRows(id, items, (next) => onChange({ ...draft, items: next }))
  const add = () => rows.add({ draft: newItem(property, documentation) })
  /** Enter moves on to the next value. It does not save the form. */
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const item = items[index]?.draft
    if (!item || !('text' in item) || !endsLine(event)) return
    event.preventDefault()
    const next = items[index + 1]
    if (next) focusField(fieldId(id, next.key))
    else if (item.text !== '') add()
  }
  return (
    <RowsGroup
      id={id}
      property={property}
      label={items.length > 0 ? 'Add another' : 'Add a value'}
      onAdd={add}
    >
      {items.map((item, index) => {
        const name = itemLabel(labelOf(property), index + 1)
        return (
          <li key={item.key} onKeyDown={(event) => onKeyDown(event, index)}>
            <Item
              id={fieldId(id, item.key)}
              property={property}
              draft={item.draft}
              name={name}
              onChange={(changed) => rows.change(item, { ...item, draft: changed })}
            />
            <RemoveButton name={name} onClick={() => rows.remove(item)} />
          </li>
        )
      })}
    </RowsGroup>
  )
}

export function LanguagesGroup({ id, property, draft, onChange }: FieldProps<LanguagesDraft>) {
  const rows = useRows(id, draft.rows, (next) => onChange({ ...draft, rows: next }))
  // The first text is probably in the user's own language.
  const [proposed = ''] = draft.rows.length === 0 ? navigator.language.split('-') : []
  return (
    <RowsGroup
      id={id}
      property={property}
      label="Add a language"
      onAdd={() => rows.add({ tag: proposed, text: '' })}
    >
      {draft.rows.map((row) => (
        <LanguageFields key={row.key} id={fieldId(id, row.key)} property={property} row={row} rows={rows} />
      ))}
    </RowsGroup>
  )
}

interface LanguageFieldsProps extends Pick<FieldProps, 'id' | 'property'> {
  readonly row: LanguageRow
  readonly rows: ReturnType<typeof useRows<LanguageRow>>
}

function LanguageFields({ id, property, row, rows }: LanguageFieldsProps) {
  const described = useDescribed(id, false)
  const tag = row.tag.trim()
  const label = labelOf(property)
  const name = `${label} (${tag || 'no language yet'})`
  return (
    <li class="form-language">
      <input
        id={id}
        class="input"
        type="text"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="Language"
        aria-label={`Language of ${label}`}
        {...described}
        value={row.tag}
        // Selected, so that typing replaces the proposed language.
        onFocus={(event) => row.text === '' && event.currentTarget.select()}
        onInput={(event) => rows.change(row, { ...row, tag: event.currentTarget.value })}
      />
      <TextInput
        class="form-language-text"
        hasLines={hasLines(property)}
        lang={tag || undefined}
        aria-label={name}
        aria-describedby={described['aria-describedby']}
        value={row.text}
        placeholder="Text"
        onText={(text) => rows.change(row, { ...row, text })}
      />
      <RemoveButton name={name} onClick={() => rows.remove(row)} />
      <Violations id={id} />
    </li>
  )
}

interface RowsGroupProps extends Pick<FieldProps, 'id' | 'property'> {
  readonly label: string
  readonly onAdd: () => void
  readonly children: ComponentChildren[]
}

const RowsGroup = ({ id, property, label, onAdd, children }: RowsGroupProps) => (
  <Group id={id} property={property}>
    {children.length > 0 && <ol class="form-list">{children}</ol>}
    <Button id={`${id}-add`} class="form-add" onClick={onAdd}>
      {label}
      <span class="visually-hidden"> to {labelOf(property)}</span>
    </Button>
  </Group>
)

const RemoveButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <Button label="Remove" class="form-remove" aria-label={`Remove ${name}`} onClick={onClick} />
)
