import { type ControlProps, tied } from './control.ts'

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
