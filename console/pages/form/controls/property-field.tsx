import { useApi } from '../../../shared/connection/index.ts'
import { Button, Select, Unit } from '../../../shared/controls/index.ts'
import { labelOf, wordsOf } from '../../../shared/names.ts'
import { isObject, type Option, YES_OR_NO } from '../../../shared/values.ts'
import {
  added,
  type EmbeddedDraft,
  type ListDraft,
  type ListItem,
  newItem,
  type PropertyDraft,
  shown,
  type TextDraft,
} from '../drafts/draft.ts'
import { fieldId } from '../drafts/reading.ts'
import { choicesOf } from '../drafts/typed-text.ts'
import { LinkPicker } from '../picker/link-picker.tsx'
import { EmbeddedTable, tableClass } from './embedded-table.tsx'
import {
  type FieldProps,
  focusField,
  Group,
  Hint,
  RequiredMark,
  useFieldAttributes,
  Violations,
} from './field-parts.tsx'
import { LanguagesGroup, ListGroup } from './list-groups.tsx'
import { ReadOnlyValues } from './read-only-values.tsx'
import { DateTimeControl, TextControl } from './text-controls.tsx'

interface PropertyFieldsProps {
  readonly drafts: readonly PropertyDraft[]
  readonly id: string
  readonly onChange: (drafts: readonly PropertyDraft[]) => void
}

export const PropertyFields = ({ drafts, id, onChange }: PropertyFieldsProps) => (
  <>
    {drafts.map((one, index) => (
      <Field
        key={one.property.name}
        {...one}
        id={fieldId(id, index)}
        onChange={(draft) => onChange(drafts.map((other) => (other === one ? { ...one, draft } : other)))}
      />
    ))}
  </>
)

/** The field of a property, or of one of its values. */
function Field({ draft, ...props }: FieldProps) {
  const { documentation } = useApi()
  if (draft.kind === 'languages') return <LanguagesGroup {...props} draft={draft} />
  if (draft.kind === 'embedded') return <EmbeddedGroup {...props} draft={draft} />
  if (draft.kind === 'list') {
    const choices = draft.items.every(isChoice) ? choicesOf(props.property) : undefined
    if (choices) return <ChoicesGroup {...props} draft={draft} choices={choices} />
    const cls = tableClass(props.property, draft, documentation)
    if (cls) return <EmbeddedTable {...props} draft={draft} cls={cls} Control={ValueControl} />
    return <ListGroup {...props} draft={draft} Item={Field} />
  }
  if (props.name !== undefined)
    return (
      <div class="form-item">
        <ValueControl {...props} draft={draft} />
        <Violations id={props.id} />
      </div>
    )
  if (draft.kind === 'boolean') return <BooleanGroup {...props} draft={draft} />
  const { id, property } = props
  return (
    <div class="field">
      <label for={id}>
        {labelOf(property)}
        <Unit unit={property.unit} /> <RequiredMark required={property.required} />
      </label>
      <Hint id={id} property={property} kind={draft.kind} />
      <ValueControl {...props} draft={draft} />
      <Violations id={id} />
    </div>
  )
}

function ValueControl(props: FieldProps<TextDraft>) {
  const { draft, property, name, onChange } = props
  const { kind, text } = draft
  const attributes = useFieldAttributes(props)
  const type = (typed: string) => onChange({ ...draft, text: typed })
  const listed = choicesOf(property)?.map((one): Option => [one, one])
  const choices = listed ?? (kind === 'boolean' ? YES_OR_NO : undefined)
  if (choices && kind !== 'json') {
    const none: Option = ['', property.required ? 'Choose …' : 'Not set']
    // The current value stays possible, even if it is not among the choices.
    const isOther = text !== '' && !choices.some(([value]) => value === text)
    const options = [none, ...(isOther ? [[text, text] as const] : []), ...choices]
    return <Select {...attributes} class="form-choice" value={text} options={options} onChange={type} />
  }
  if (kind === 'link') {
    const label = name ?? labelOf(property)
    return <LinkPicker {...attributes} target={property.range} value={text} label={label} onChange={type} />
  }
  // A date that the browser's calendar cannot show (with a zone, or the year -44) is typed.
  if (kind === 'date' && /^(\d{4}-\d{2}-\d{2})?$/.test(text)) {
    const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => type(currentTarget.value)
    const shared = { ...attributes, class: 'input form-narrow', value: text, onInput }
    // Without `max` the year could have more digits, which would replace this field by a text field.
    return <input {...shared} type="date" max="9999-12-31" />
  }
  return kind === 'dateTime' ? <DateTimeControl {...props} /> : <TextControl {...props} />
}

/** Yes, no or no value, which a checkbox cannot express. */
function BooleanGroup({ id, property, draft, onChange }: FieldProps<TextDraft>) {
  const choices = property.required ? YES_OR_NO : [...YES_OR_NO, ['', 'Not set'] as const]
  return (
    <Group id={id} property={property}>
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

const isChoice = ({ draft }: ListItem): boolean => 'text' in draft && draft.kind !== 'json'

const textOf = ({ draft }: ListItem): string => ('text' in draft ? draft.text : '')

/** Any of a few values, each at most once. A value that is not among the choices can be removed. */
function ChoicesGroup(props: FieldProps<ListDraft> & { readonly choices: readonly string[] }) {
  const { id, property, draft, choices, onChange } = props
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
    <Group id={id} property={property}>
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

/** One of several values is removed by its list instead. */
function EmbeddedGroup({ id, property, draft, name, onChange }: FieldProps<EmbeddedDraft>) {
  const { documentation } = useApi()
  const show = (present: boolean) => {
    onChange(present ? shown(draft, documentation) : { ...draft, present })
    // After the new fields are rendered.
    requestAnimationFrame(() => focusField(id))
  }
  if (!draft.present)
    return (
      <Group id={id} property={property} name={name}>
        <Button label={`Add ${wordsOf(property)}`} class="form-add" onClick={() => show(true)} />
      </Group>
    )
  return (
    <Group id={id} property={property} name={name} class="form-embedded">
      <PropertyFields
        drafts={draft.properties}
        id={id}
        onChange={(properties) => onChange({ ...draft, properties })}
      />
      {isObject(draft.given) && <ReadOnlyValues cls={draft.cls} data={draft.given} />}
      {name === undefined && !property.required && (
        <Button label={`Remove ${wordsOf(property)}`} class="quiet form-remove" onClick={() => show(false)} />
      )}
    </Group>
  )
}
