import { useApi } from '../../../shared/connection/index.ts'
import { added, type ListDraft, type ListItem, newItem, type TextDraft } from '../drafts/draft.ts'
import { fieldId, labelOf } from '../drafts/field-ids.ts'
import { type FieldProps, Group, Violations } from './field-parts.tsx'
import { hintOf } from './hints.ts'
import { YES_OR_NO } from './value-control.tsx'

/** Yes, no, or neither: a checkbox could not say the last. */
export function BooleanGroup({ id, property, draft, onChange }: FieldProps<TextDraft>) {
  const choices = property.required ? YES_OR_NO : [...YES_OR_NO, ['', 'Not set'] as const]
  return (
    <Group
      id={id}
      label={labelOf(property)}
      hint={hintOf(property, draft.kind)}
      required={property.required}
      class="form-radios"
    >
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
    const others = { ...draft, items: chosen.filter((item) => textOf(item) !== text) }
    const empty = newItem(property, documentation)
    onChange(on && 'text' in empty ? added(others, { ...empty, text }) : others)
  }
  return (
    <Group id={id} label={labelOf(property)} hint={hintOf(property, 'text')} required={property.required}>
      <div class="form-checks">
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
