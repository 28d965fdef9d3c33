import { useApi } from '../../../shared/connection/index.ts'
import { Button } from '../../../shared/controls/index.ts'
import { labelOf, wordsOf } from '../../../shared/names.ts'
import { isObject } from '../../../shared/values.ts'
import { type Draft, type EmbeddedDraft, type PropertyDraft, shown, type TextDraft } from '../drafts/draft.ts'
import { fieldId } from '../drafts/field-ids.ts'
import { choicesOf } from '../drafts/typed-text.ts'
import { type FieldProps, focusField, Group, Hint, RequiredMark, Violations } from './field-parts.tsx'
import { LanguagesGroup, ListGroup } from './list-groups.tsx'
import { ReadOnlyValues } from './read-only-values.tsx'
import { BooleanGroup, ChoicesGroup, ValueControl } from './value-control.tsx'

interface PropertyFieldsProps {
  readonly drafts: readonly PropertyDraft[]
  readonly id: string
  readonly onChange: (drafts: readonly PropertyDraft[]) => void
}

export const PropertyFields = ({ drafts, id, onChange }: PropertyFieldsProps) => (
  <>
    {drafts.map((one, index) => (
      <PropertyField
        key={one.property.name}
        {...one}
        id={fieldId(id, index)}
        onChange={(draft) => onChange(drafts.map((other) => (other === one ? { ...one, draft } : other)))}
      />
    ))}
  </>
)

function PropertyField({ draft, ...props }: FieldProps) {
  switch (draft.kind) {
    case 'list': {
      const choices = draft.items.every((item) => isText(item.draft)) ? choicesOf(props.property) : undefined
      return choices ? (
        <ChoicesGroup {...props} draft={draft} choices={choices} />
      ) : (
        <ListGroup {...props} draft={draft} renderItem={(item) => <ItemField {...item} />} />
      )
    }
    case 'languages':
      return <LanguagesGroup {...props} draft={draft} />
    case 'embedded':
      return <EmbeddedGroup {...props} draft={draft} />
    case 'boolean':
      return <BooleanGroup {...props} draft={draft} />
    default:
      return <TextField {...props} draft={draft} />
  }
}

const isText = (draft: Draft): boolean => 'text' in draft && draft.kind !== 'json'

const TextField = (props: FieldProps<TextDraft>) => (
  <div class="field">
    <label for={props.id}>
      {labelOf(props.property)} <RequiredMark required={props.property.required} />
    </label>
    <Hint id={props.id} property={props.property} kind={props.draft.kind} />
    <ValueControl {...props} />
    <Violations id={props.id} />
  </div>
)

function ItemField({ draft, ...props }: FieldProps) {
  if (draft.kind === 'embedded') return <EmbeddedGroup {...props} draft={draft} />
  if (draft.kind === 'list' || draft.kind === 'languages') return null
  return (
    <div class="form-item">
      <ValueControl {...props} draft={draft} />
      <Violations id={props.id} />
    </div>
  )
}

/** One among several values is removed by the list. */
function EmbeddedGroup({ id, property, draft, name, onChange }: FieldProps<EmbeddedDraft>) {
  const { documentation } = useApi()
  const label = name ?? wordsOf(property)
  const canRemove = name === undefined && !property.required
  const show = (present: boolean) => {
    onChange(present ? shown(draft, documentation) : { ...draft, present })
    // After the new fields have been drawn.
    requestAnimationFrame(() => focusField(id))
  }
  return (
    <Group
      id={id}
      property={property}
      name={name}
      kind="embedded"
      class={draft.present ? 'form-embedded' : ''}
    >
      {draft.present ? (
        <>
          <PropertyFields
            drafts={draft.properties}
            id={id}
            onChange={(properties) => onChange({ ...draft, properties })}
          />
          {isObject(draft.given) && <ReadOnlyValues cls={draft.cls} data={draft.given} />}
          {canRemove && (
            <Button label={`Remove ${label}`} class="quiet form-remove" onClick={() => show(false)} />
          )}
        </>
      ) : (
        <Button label={`Add ${label}`} class="form-add" onClick={() => show(true)} />
      )}
    </Group>
  )
}
