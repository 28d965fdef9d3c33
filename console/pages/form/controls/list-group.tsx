import type { ComponentChildren } from 'preact'
import type { PropertyDescription } from '../../../../src/client/index.ts'
import { useApi } from '../../../shared/api.ts'
import { Button } from '../../../shared/controls/button.tsx'
import { inWords } from '../../../shared/names/naming.ts'
import { added, type ListDraft, type ListItem, newItem } from '../drafts/draft.ts'
import { labelOf, placeIn } from '../drafts/field-ids.ts'
import { kindOf } from '../drafts/kinds.ts'
import { Group } from './field-parts.tsx'
import { endsLine, focusPlace, useFocusAdded } from './focus.ts'
import { hintOf, patternHint } from './hints.ts'

interface ListGroupProps {
  readonly place: string
  readonly property: PropertyDescription
  readonly draft: ListDraft
  readonly onChange: (draft: ListDraft) => void
  /** One of the values; `name` tells it from the others. */
  readonly renderItem: (
    item: ListItem,
    place: string,
    name: string,
    onChange: (draft: ListItem['draft']) => void,
  ) => ComponentChildren
}

/** Any number of values. */
export function ListGroup({ place, property, draft, onChange, renderItem }: ListGroupProps) {
  const { documentation } = useApi()
  const label = labelOf(property)
  const addId = `${place}-add`
  const { items } = draft
  const expectOneMore = useFocusAdded(place, items)

  const add = () => {
    expectOneMore()
    onChange(added(draft, newItem(property, documentation)))
  }
  const remove = (item: ListItem, index: number) => {
    const left = items.filter((one) => one !== item)
    onChange({ ...draft, items: left })
    const next = left[index] ?? left[index - 1]
    focusPlace(next ? placeIn(place, next.key) : addId)
  }
  /** Who has typed one value goes on to the next, as in any list; the form is saved by its button. */
  const onKeyDown = (event: KeyboardEvent, item: ListItem, index: number) => {
    if (!('text' in item.draft) || !endsLine(event)) return
    event.preventDefault()
    const next = items[index + 1]
    if (next) focusPlace(placeIn(place, next.key))
    else if (item.draft.text !== '') add()
  }
  return (
    <Group
      place={place}
      label={label}
      hint={hintOf(property, kindOf(property, documentation))}
      pattern={patternHint(property)}
      required={property.required}
    >
      {items.length > 0 && (
        <ol class="form-list">
          {items.map((item, index) => (
            <li key={item.key} onKeyDown={(event) => onKeyDown(event, item, index)}>
              {renderItem(item, placeIn(place, item.key), `${label} ${index + 1}`, (changed) =>
                onChange({
                  ...draft,
                  items: items.map((one) => (one === item ? { ...one, draft: changed } : one)),
                }),
              )}
              <Button
                class="form-remove"
                aria-label={`Remove ${inWords(label)} ${index + 1}`}
                onClick={() => remove(item, index)}
              >
                Remove
              </Button>
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
