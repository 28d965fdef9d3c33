import type { PropertyDescription } from '../../../../src/client/index.ts'
import type { TextDraft } from '../drafts/draft.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { YES_OR_NO } from './choice-control.tsx'
import { Group } from './group.tsx'
import { hintOf } from './hints.ts'

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
