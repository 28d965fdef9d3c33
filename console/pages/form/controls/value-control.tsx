import { Select } from '../../../shared/controls/index.ts'
import type { Option } from '../../../shared/values/index.ts'
import { choicesOf } from '../drafts/checks.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { LinkPicker } from '../picker/link-picker.tsx'
import { DateControl, DateTimeControl } from './date-controls.tsx'
import { type ControlProps, TextControl, tied } from './text-control.tsx'

export const YES_OR_NO: readonly Option[] = [
  ['true', 'Yes'],
  ['false', 'No'],
]

export function ValueControl(props: ControlProps) {
  const { draft, property, onText, id, describedBy, invalid, name } = props
  const choices = choicesOf(property)?.map((text): Option => [text, text])
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
          id={id}
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

/** One of a few values. A present value that is not among them stays possible. */
function ChoiceControl(props: ControlProps & { readonly choices: readonly Option[] }) {
  const { draft, property, choices, onText } = props
  const { text } = draft
  const isOther = text !== '' && !choices.some(([value]) => value === text)
  const none: Option = ['', property.required ? 'Choose …' : 'Not set']
  return (
    <Select
      {...tied(props)}
      class="form-choice"
      value={text}
      options={[none, ...(isOther ? [[text, text] as const] : []), ...choices]}
      onChange={onText}
    />
  )
}
