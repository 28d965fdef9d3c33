import { useApi } from '../../../shared/connection/index.ts'
import { Select } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { type Option, YES_OR_NO } from '../../../shared/values.ts'
import { added, type ListDraft, type ListItem, newItem, type TextDraft } from '../drafts/draft.ts'
import { fieldId } from '../drafts/field-ids.ts'
import { choicesOf } from '../drafts/typed-text.ts'
import { LinkPicker } from '../picker/link-picker.tsx'
import { type FieldProps, Group, useTied, Violations } from './field-parts.tsx'
import { DateTimeControl, TextControl } from './text-controls.tsx'

export function ValueControl(props: FieldProps<TextDraft>) {
  const { draft, property, name, onChange } = props
  const { kind, text } = draft
  const tied = useTied(props)
  const type = (typed: string) => onChange({ ...draft, text: typed })
  const listed = choicesOf(property)?.map((one): Option => [one, one])
  const choices = listed ?? (kind === 'boolean' ? YES_OR_NO : undefined)
  if (choices && kind !== 'json') {
    const none: Option = ['', property.required ? 'Choose …' : 'Not set']
    // A present value that is not among the choices stays possible.
    const isOther = text !== '' && !choices.some(([value]) => value === text)
    const options = [none, ...(isOther ? [[text, text] as const] : []), ...choices]
    return <Select {...tied} class="form-choice" value={text} options={options} onChange={type} />
  }
  if (kind === 'link') {
    const label = name ?? labelOf(property)
    return <LinkPicker {...tied} target={property.range} value={text} label={label} onChange={type} />
  }
  // One that the browser's calendar cannot show (a zone, the year -44) is typed.
  if (kind === 'date' && /^(\d{4}-\d{2}-\d{2})?$/.test(text)) {
    const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => type(currentTarget.value)
    return <input {...tied} class="input form-narrow" type="date" value={text} onInput={onInput} />
  }
  return kind === 'dateTime' ? <DateTimeControl {...props} /> : <TextControl {...props} />
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
