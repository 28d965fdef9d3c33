import type { PropertyDescription } from '../../../../src/client/index.ts'
import { useApi } from '../../../shared/api.ts'
import { added, type ListDraft, type ListItem, newItem, type TextDraft } from '../drafts/draft.ts'
import { labelOf, placeIn } from '../drafts/field-ids.ts'
import { Group, Violations } from './field-parts.tsx'
import { hintOf } from './hints.ts'
import { YES_OR_NO } from './value-control.tsx'

interface BooleanGroupProps {
  readonly place: string
  readonly property: PropertyDescription
  readonly draft: TextDraft
  readonly onText: (text: string) => void
}

/** Yes, no, or neither: a box to tick could not say the last. */
export function BooleanGroup({ place, property, draft, onText }: BooleanGroupProps) {
  const choices = property.required ? YES_OR_NO : [...YES_OR_NO, { text: '', label: 'Not set' }]
  return (
    <Group
      place={place}
      label={labelOf(property)}
      hint={hintOf(property, draft.kind)}
      required={property.required}
      class="form-radios"
    >
      <div class="form-segments">
        {choices.map(({ text, label }) => (
          <label key={text} class="form-segment">
            <input
              type="radio"
              name={place}
              value={text}
              checked={draft.text === text}
              onChange={() => onText(text)}
            />
            {label}
          </label>
        ))}
      </div>
    </Group>
  )
}

interface ChoicesGroupProps {
  readonly place: string
  readonly property: PropertyDescription
  readonly draft: ListDraft
  readonly choices: readonly string[]
  readonly onChange: (draft: ListDraft) => void
}

/** Any of few values, each once. One that is there although it is not among them can be taken away. */
export function ChoicesGroup({ place, property, draft, choices, onChange }: ChoicesGroupProps) {
  const { documentation } = useApi()
  const chosen = draft.items.filter((item) => textOf(item) !== '')
  const texts = [...new Set([...choices, ...chosen.map(textOf)])]
  const toggle = (text: string, on: boolean) => {
    const others = { ...draft, items: chosen.filter((item) => textOf(item) !== text) }
    const empty = newItem(property, documentation)
    onChange(on && 'text' in empty ? added(others, { ...empty, text }) : others)
  }
  return (
    <Group
      place={place}
      label={labelOf(property)}
      hint={hintOf(property, 'text')}
      required={property.required}
    >
      <div class="form-checks">
        {texts.map((text) => {
          const item = chosen.find((one) => textOf(one) === text)
          return (
            <label key={text} class="form-check">
              <input
                id={item && placeIn(place, item.key)}
                type="checkbox"
                checked={item !== undefined}
                onChange={(event) => toggle(text, event.currentTarget.checked)}
              />
              {text}
            </label>
          )
        })}
      </div>
      {chosen.map(({ key }) => (
        <Violations key={key} place={placeIn(place, key)} />
      ))}
    </Group>
  )
}

const textOf = ({ draft }: ListItem): string => ('text' in draft ? draft.text : '')
