import { useApi } from '../../../shared/connection/index.ts'
import { Button } from '../../../shared/controls/index.ts'
import { labelOf, wordsOf } from '../../../shared/names.ts'
import { isObject } from '../../../shared/values.ts'
import { choicesOf } from '../drafts/checks.ts'
import { type Draft, type EmbeddedDraft, type PropertyDraft, shown, type TextDraft } from '../drafts/draft.ts'
import { fieldId } from '../drafts/field-ids.ts'
import {
  type FieldProps,
  Group,
  Hint,
  hintOf,
  patternHint,
  RequiredMark,
  useDescribed,
  Violations,
} from './field-parts.tsx'
import { focusField } from './focus.ts'
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

function TextField({ id, property, draft, onChange }: FieldProps<TextDraft>) {
  const hint = hintOf(property, draft.kind)
  const pattern = patternHint(property)
  return (
    <div class="field">
      <label for={id}>
        {labelOf(property)} <RequiredMark required={property.required} />
      </label>
      <Hint id={id} text={hint} pattern={pattern} />
      <ValueControl
        {...useDescribed(id, hint || pattern)}
        id={id}
        property={property}
        draft={draft}
        onText={(text) => onChange({ ...draft, text })}
      />
      <Violations id={id} />
    </div>
  )
}

function ItemField({ draft, name, ...props }: FieldProps & { readonly name: string }) {
  const { id, property, onChange } = props
  const described = useDescribed(id, '')
  if (draft.kind === 'embedded') return <EmbeddedGroup {...props} draft={draft} name={name} />
  if (draft.kind === 'list' || draft.kind === 'languages') return null
  return (
    <div class="form-item">
      <ValueControl
        {...described}
        id={id}
        property={property}
        draft={draft}
        name={name}
        onText={(text) => onChange({ ...draft, text })}
      />
      <Violations id={id} />
    </div>
  )
}

/** `name`: of one among several values, which the list removes. */
function EmbeddedGroup({
  id,
  property,
  draft,
  name,
  onChange,
}: FieldProps<EmbeddedDraft> & { readonly name?: string }) {
  const { documentation } = useApi()
  const label = name ?? wordsOf(property)
  const canRemove = name === undefined && !property.required
  const show = (present: boolean) => {
    onChange(present ? shown(draft, documentation) : { ...draft, present })
    // After the new fields have been drawn.
    requestAnimationFrame(() => focusField(id))
  }
  const look = draft.present ? 'form-embedded' : ''
  return (
    <Group id={id} property={property} name={name} hint={property.description} class={look}>
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
