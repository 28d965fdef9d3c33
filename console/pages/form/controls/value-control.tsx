import { choicesOf } from '../drafts/constraints.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { LinkPicker } from '../picker/link-picker.tsx'
import { ChoiceControl, YES_OR_NO } from './choice-control.tsx'
import type { ControlProps } from './control.ts'
import { DateControl } from './date-control.tsx'
import { DateTimeControl } from './date-time-control.tsx'
import { TextControl } from './text-control.tsx'

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
