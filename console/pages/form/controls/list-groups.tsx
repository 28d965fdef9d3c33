import type { ComponentChildren } from 'preact'
import { useApi } from '../../../shared/connection/index.ts'
import { Button } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { typedKindOf } from '../../../shared/values.ts'
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
import { type FieldProps, Group, hintOf, patternHint, useDescribed, Violations } from './field-parts.tsx'
import { endsLine, focusField, useFocusAdded } from './focus.ts'
import { hasLines, TextInput } from './text-controls.tsx'

interface ListGroupProps extends FieldProps<ListDraft> {
  readonly renderItem: (item: FieldProps & { readonly name: string }) => ComponentChildren
}

export function ListGroup({ id, property, draft, onChange, renderItem }: ListGroupProps) {
  const { documentation } = useApi()
  const label = labelOf(property)
  const addId = `${id}-add`
  const { items } = draft
  const focusNext = useFocusAdded(id, items)

  const add = () => {
    focusNext()
    onChange(added(draft, newItem(property, documentation)))
  }
  const remove = (item: ListItem, index: number) => {
    const left = items.filter((one) => one !== item)
    onChange({ ...draft, items: left })
    const next = left[index] ?? left[index - 1]
    focusField(next ? fieldId(id, next.key) : addId)
  }
  /** Enter goes on to the next value; the form is saved by its button. */
  const onKeyDown = (event: KeyboardEvent, item: ListItem, index: number) => {
    if (!('text' in item.draft) || !endsLine(event)) return
    event.preventDefault()
    const next = items[index + 1]
    if (next) focusField(fieldId(id, next.key))
    else if (item.draft.text !== '') add()
  }
  return (
    <Group
      id={id}
      property={property}
      hint={hintOf(property, typedKindOf(property, documentation))}
      pattern={patternHint(property)}
    >
      {items.length > 0 && (
        <ol class="form-list">
          {items.map((item, index) => (
            <li key={item.key} onKeyDown={(event) => onKeyDown(event, item, index)}>
              {renderItem({
                id: fieldId(id, item.key),
                property,
                draft: item.draft,
                name: itemLabel(label, index + 1),
                onChange: (changed) =>
                  onChange({
                    ...draft,
                    items: items.map((one) => (one === item ? { ...one, draft: changed } : one)),
                  }),
              })}
              <Button
                label="Remove"
                class="form-remove"
                aria-label={`Remove ${itemLabel(label, index + 1)}`}
                onClick={() => remove(item, index)}
              />
            </li>
          ))}
        </ol>
      )}
      <Button id={addId} class="form-add" onClick={add}>
        {items.length > 0 ? 'Add another' : 'Add a value'}
        <span class="visually-hidden"> to {label}</span>
      </Button>
    </Group>
  )
}

export function LanguagesGroup({ id, property, draft, onChange }: FieldProps<LanguagesDraft>) {
  const label = labelOf(property)
  const addId = `${id}-add`
  const { rows } = draft
  const focusNext = useFocusAdded(id, rows)

  const add = () => {
    focusNext()
    // The first text is most likely in the user's own language.
    onChange(withRow(draft, rows.length === 0 ? navigator.language.split('-')[0] : ''))
  }
  const remove = (row: LanguageRow) => {
    onChange({ ...draft, rows: rows.filter((one) => one !== row) })
    focusField(addId)
  }
  return (
    <Group id={id} property={property} hint={hintOf(property, 'languages')}>
      {rows.length > 0 && (
        <ol class="form-list">
          {rows.map((row) => (
            <Row
              key={row.key}
              id={fieldId(id, row.key)}
              label={label}
              multiline={hasLines(property)}
              row={row}
              onChange={(changed) =>
                onChange({ ...draft, rows: rows.map((one) => (one === row ? changed : one)) })
              }
              onRemove={() => remove(row)}
            />
          ))}
        </ol>
      )}
      <Button id={addId} class="form-add" onClick={add}>
        Add a language<span class="visually-hidden"> to {label}</span>
      </Button>
    </Group>
  )
}

interface RowProps {
  readonly id: string
  readonly label: string
  readonly multiline: boolean
  readonly row: LanguageRow
  readonly onChange: (row: LanguageRow) => void
  readonly onRemove: () => void
}

function Row({ id, label, multiline, row, onChange, onRemove }: RowProps) {
  const { describedBy, invalid } = useDescribed(id, '')
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
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
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
        aria-describedby={describedBy}
        value={row.text}
        placeholder="Text"
        onText={(text) => onChange({ ...row, text })}
      />
      <Button
        label="Remove"
        class="form-remove"
        aria-label={`Remove ${label} (${language})`}
        onClick={onRemove}
      />
      <Violations id={id} />
    </li>
  )
}
