import { useApi } from '../../../shared/connection/index.ts'
import { Select } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { type Option, YES_OR_NO } from '../../../shared/values.ts'
import { added, type ListDraft, type ListItem, newItem, type TextDraft } from '../drafts/draft.ts'
import { fieldId } from '../drafts/field-ids.ts'
import { choicesOf } from '../drafts/typed-text.ts'
import { LinkPicker } from '../picker/link-picker.tsx'
import { type FieldProps, Group, useTied, Violations } from './field-parts.tsx'
import { type ControlProps, DateControl, DateTimeControl, TextControl } from './text-controls.tsx'

export function ValueControl(props: ControlProps) {
  const { draft, property, id, name, onChange } = props
  const tied = useTied(props)
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
          {...tied}
          id={id}
          target={property.range}
          value={draft.text}
          label={name ?? labelOf(property)}
          onChange={(text) => onChange({ ...draft, text })}
        />
      )
    default:
      return <TextControl {...props} />
  }
}

/** One of a few values. A present value that is not among them stays possible. */
function ChoiceControl({ choices, ...props }: ControlProps & { readonly choices: readonly Option[] }) {
  const { draft, property, onChange } = props
  const isOther = draft.text !== '' && !choices.some(([value]) => value === draft.text)
  const none: Option = ['', property.required ? 'Choose …' : 'Not set']
  return (
    <Select
      {...useTied(props)}
      class="form-choice"
      value={draft.text}
      options={[none, ...(isOther ? [[draft.text, draft.text] as const] : []), ...choices]}
      onChange={(text) => onChange({ ...draft, text })}
    />
  )
}

/** Yes, no, or neither: a checkbox could not say the last. */
export function BooleanGroup({ id, property, draft, onChange }: FieldProps<TextDraft>) {
  const choices = property.required ? YES_OR_NO : [...YES_OR_NO, ['', 'Not set'] as const]
  return (
    <Group id={id} property={property} kind="boolean" class="form-radios">
      <div class="form-segments">
        {choices.map(([text, label]) => (
          <label key={text} class="form-segment">
            <input
              type="radio"
              name={id}
              value={text}
              checked={draft.text === text}
              onChange={() => onChange({ ...draft, text })}
            />
            {label}
          </label>
        ))}
      </div>
    </Group>
  )
}

type ChoicesGroupProps = FieldProps<ListDraft> & { readonly choices: readonly string[] }

/** Any of a few values, each once. A value that is not among the choices can be removed. */
export function ChoicesGroup({ id, property, draft, choices, onChange }: ChoicesGroupProps) {
  const { documentation } = useApi()
  const chosen = draft.items.filter((item) => textOf(item) !== '')
  const texts = [...new Set([...choices, ...chosen.map(textOf)])]
  const toggle = (text: string, on: boolean) => {
    const others = chosen.filter((item) => textOf(item) !== text)
    const empty = newItem(property, documentation)
    const isAdded = on && 'text' in empty
    onChange({ ...draft, items: isAdded ? added(others, { draft: { ...empty, text } }) : others })
  }
  return (
    <Group id={id} property={property} kind="text">
      <div class="form-checks row">
        {texts.map((text) => {
          const item = chosen.find((one) => textOf(one) === text)
          return (
            <label key={text} class="form-check">
              <input
                id={item && fieldId(id, item.key)}
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
        <Violations key={key} id={fieldId(id, key)} />
      ))}
    </Group>
  )
}

const textOf = ({ draft }: ListItem): string => ('text' in draft ? draft.text : '')
