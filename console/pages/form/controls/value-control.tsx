import { choicesOf } from '../drafts/checks.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { LinkPicker } from '../picker/link-picker.tsx'
import { DateControl, DateTimeControl } from './date-controls.tsx'
import { type ControlProps, TextControl, tied } from './text-control.tsx'

/** The control for one value, by its kind. `alone`: it is not one of several. */
export function ValueControl(props: ControlProps & { readonly alone: boolean }) {
  const { draft, property, onText, place, describedBy, invalid, name } = props
  const choices = choicesOf(property)?.map((text) => ({ text, label: text }))
  if (choices && draft.kind !== 'json') return <ChoiceControl {...props} choices={choices} />
  switch (draft.kind) {
    case 'boolean':
      return <ChoiceControl {...props} choices={YES_OR_NO} />
    case 'date':
      return <DateControl {...props} />
    case 'dateTime':
      return <DateTimeControl {...props} />
    case 'link':
      return (
        <LinkPicker
          id={place}
          target={property.range}
          value={draft.text}
          label={name ?? labelOf(property)}
          ariaLabel={name}
          describedBy={describedBy}
          invalid={invalid}
          required={property.required}
          onChange={onText}
          onTyping={onText}
        />
      )
    default:
      return <TextControl {...props} />
  }
}

/** One of few values. One that is there although it is not among them stays possible. */
export function ChoiceControl(props: ControlProps & { readonly choices: readonly Choice[] }) {
  const { draft, property, choices, onText } = props
  const isOther = draft.text !== '' && !choices.some(({ text }) => text === draft.text)
  return (
    <select
      {...tied(props)}
      class="input form-choice"
      value={draft.text}
      onChange={(event) => onText(event.currentTarget.value)}
    >
      <option value="">{property.required ? 'Choose …' : 'Not set'}</option>
      {isOther && <option value={draft.text}>{draft.text}</option>}
      {choices.map(({ text, label }) => (
        <option key={text} value={text}>
          {label}
        </option>
      ))}
    </select>
  )
}

export interface Choice {
  readonly text: string
  readonly label: string
}

export const YES_OR_NO: readonly Choice[] = [
  { text: 'true', label: 'Yes' },
  { text: 'false', label: 'No' },
]
