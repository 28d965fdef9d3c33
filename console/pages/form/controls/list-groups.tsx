import type { ComponentChildren } from 'preact'
import { useApi } from '../../../shared/connection/index.ts'
import { Button } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { type Kind, typedKindOf } from '../../../shared/values.ts'
import {
  added,
  type LanguageRow,
  type LanguagesDraft,
  type ListDraft,
  type ListItem,
  newItem,
  withRow,
} from '../drafts/draft.ts'
import { fieldId, itemLabel } from '../drafts/field-ids.ts'
import { type FieldProps, Group, useDescribed, Violations } from './field-parts.tsx'
import { endsLine, focusField, useFocusAdded } from './focus.ts'
import { hasLines, TextInput } from './text-controls.tsx'

interface ListGroupProps extends FieldProps<ListDraft> {
  readonly renderItem: (item: FieldProps) => ComponentChildren
}

export function ListGroup({ id, property, draft, onChange, renderItem }: ListGroupProps) {
  const { documentation } = useApi()
  const { items } = draft
  const add = () => onChange(added(draft, newItem(property, documentation)))
  const rows = useRows({ id, items, add, set: (next) => onChange({ ...draft, items: next }) })
  /** Enter goes on to the next value; the form is saved by its button. */
  const onKeyDown = (event: KeyboardEvent, item: ListItem, index: number) => {
    if (!('text' in item.draft) || !endsLine(event)) return
    event.preventDefault()
    const next = items[index + 1]
    if (next) focusField(fieldId(id, next.key))
    else if (item.draft.text !== '') rows.add()
  }
  return (
    <RowsGroup
      id={id}
      property={property}
      kind={typedKindOf(property, documentation)}
      label={items.length > 0 ? 'Add another' : 'Add a value'}
      onAdd={rows.add}
    >
      {items.map((item, index) => {
        const name = itemLabel(labelOf(property), index + 1)
        return (
          <li key={item.key} onKeyDown={(event) => onKeyDown(event, item, index)}>
            {renderItem({
              id: fieldId(id, item.key),
              property,
              draft: item.draft,
              name,
              onChange: (changed) => rows.change(item, { ...item, draft: changed }),
            })}
            <RemoveButton name={name} onClick={() => rows.remove(item)} />
          </li>
        )
      })}
    </RowsGroup>
  )
}

export function LanguagesGroup({ id, property, draft, onChange }: FieldProps<LanguagesDraft>) {
  const { rows: items } = draft
  // The first text is most likely in the user's own language.
  const add = () => onChange(withRow(draft, items.length === 0 ? navigator.language.split('-')[0] : ''))
  const rows = useRows({ id, items, add, set: (next) => onChange({ ...draft, rows: next }) })
  return (
    <RowsGroup id={id} property={property} kind="languages" label="Add a language" onAdd={rows.add}>
      {items.map((row) => (
        <LanguageFields
          key={row.key}
          id={fieldId(id, row.key)}
          label={labelOf(property)}
          multiline={hasLines(property)}
          row={row}
          onChange={(changed) => rows.change(row, changed)}
          onRemove={() => rows.remove(row)}
        />
      ))}
    </RowsGroup>
  )
}

interface Rows<T> {
  readonly id: string
  readonly items: readonly T[]
  readonly add: () => void
  readonly set: (items: readonly T[]) => void
}

/** Rows that are added, changed and removed; the focus stays with them. */
function useRows<T extends { readonly key: number }>({ id, items, add, set }: Rows<T>) {
  const focusNext = useFocusAdded(id, items)
  return {
    add() {
      focusNext()
      add()
    },
    change: (item: T, changed: T) => set(items.map((one) => (one === item ? changed : one))),
    remove(item: T) {
      const left = items.filter((one) => one !== item)
      const index = items.indexOf(item)
      set(left)
      const next = left[index] ?? left[index - 1]
      focusField(next ? fieldId(id, next.key) : `${id}-add`)
    },
  }
}

interface RowsGroupProps extends Pick<FieldProps, 'id' | 'property'> {
  readonly kind: Kind
  readonly label: string
  readonly onAdd: () => void
  readonly children: ComponentChildren[]
}

const RowsGroup = ({ id, property, kind, label, onAdd, children }: RowsGroupProps) => (
  <Group id={id} property={property} kind={kind}>
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

interface LanguageFieldsProps {
  readonly id: string
  readonly label: string
  readonly multiline: boolean
  readonly row: LanguageRow
  readonly onChange: (row: LanguageRow) => void
  readonly onRemove: () => void
}

function LanguageFields({ id, label, multiline, row, onChange, onRemove }: LanguageFieldsProps) {
  const described = useDescribed(id, false)
  const language = row.tag.trim() || 'no language yet'
  return (
    <li class="form-language">
      <input
        id={id}
        class="input form-tag"
        type="text"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="Language"
        aria-label={`Language of ${label}`}
        {...described}
        value={row.tag}
        // A proposed language is overwritten by typing another one.
        onFocus={(event) => row.text === '' && event.currentTarget.select()}
        onInput={(event) => onChange({ ...row, tag: event.currentTarget.value })}
      />
      <TextInput
        class="form-language-text"
        hasLines={multiline}
        lang={row.tag.trim() || undefined}
        aria-label={`${label} (${language})`}
        aria-describedby={described['aria-describedby']}
        value={row.text}
        placeholder="Text"
        onText={(text) => onChange({ ...row, text })}
      />
      <RemoveButton name={`${label} (${language})`} onClick={onRemove} />
      <Violations id={id} />
    </li>
  )
}
