import type { ComponentChildren } from 'preact'
import { useApi } from '../../../shared/connection/index.ts'
import { Button } from '../../../shared/controls/index.ts'
import { inWords } from '../../../shared/names/index.ts'
import { typedKindOf } from '../../../shared/values/index.ts'
import { added, type ListDraft, type ListItem, newItem } from '../drafts/draft.ts'
import { fieldId, labelOf } from '../drafts/field-ids.ts'
import { type FieldProps, Group } from './field-parts.tsx'
import { endsLine, focusField, useFocusAdded } from './focus.ts'
import { hintOf, patternHint } from './hints.ts'

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
      label={label}
      hint={hintOf(property, typedKindOf(property, documentation))}
      pattern={patternHint(property)}
      required={property.required}
    >
      {items.length > 0 && (
        <ol class="form-list">
          {items.map((item, index) => (
            <li key={item.key} onKeyDown={(event) => onKeyDown(event, item, index)}>
              {renderItem({
                id: fieldId(id, item.key),
                property,
                draft: item.draft,
                name: `${label} ${index + 1}`,
                onChange: (changed) =>
                  onChange({
                    ...draft,
                    items: items.map((one) => (one === item ? { ...one, draft: changed } : one)),
                  }),
              })}
              <Button
                label="Remove"
                class="form-remove"
                aria-label={`Remove ${inWords(label)} ${index + 1}`}
                onClick={() => remove(item, index)}
              />
            </li>
          ))}
        </ol>
      )}
      <Button id={addId} class="form-add" onClick={add}>
        {items.length > 0 ? 'Add another' : 'Add a value'}
        <span class="visually-hidden"> to {inWords(label)}</span>
      </Button>
    </Group>
  )
}
