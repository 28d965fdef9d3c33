import type { PropertyDescription } from '../../../../src/client/index.ts'
import { choicesOf } from '../drafts/checks.ts'
import type { Draft, PropertyDraft, TextDraft } from '../drafts/draft.ts'
import { labelOf, placeIn } from '../drafts/field-ids.ts'
import { BooleanGroup, ChoicesGroup } from './choice-groups.tsx'
import { EmbeddedGroup, type EmbeddedGroupProps } from './embedded-group.tsx'
import { Hint, RequiredMark, useDescribed, Violations } from './field-parts.tsx'
import { hintOf, patternHint } from './hints.ts'
import { LanguagesGroup } from './languages-group.tsx'
import { ListGroup } from './list-group.tsx'
import { ValueControl } from './value-control.tsx'

interface PropertyFieldsProps {
  readonly drafts: readonly PropertyDraft[]
  /** Of what they are the properties of; empty for the member itself. */
  readonly place: string
  readonly onChange: (drafts: readonly PropertyDraft[]) => void
}

/** One field for each property. */
export function PropertyFields({ drafts, place, onChange }: PropertyFieldsProps) {
  return (
    <>
      {drafts.map((one, index) => (
        <PropertyField
          key={one.property.name}
          {...one}
          place={placeIn(place, index)}
          onChange={(draft) => onChange(drafts.map((other) => (other === one ? { ...one, draft } : other)))}
        />
      ))}
    </>
  )
}

/** Values within values: given to those that need it, since they cannot import it back. */
const renderFields: EmbeddedGroupProps['renderFields'] = (drafts, place, onChange) => (
  <PropertyFields drafts={drafts} place={place} onChange={onChange} />
)

interface FieldProps<D extends Draft = Draft> {
  readonly property: PropertyDescription
  readonly draft: D
  readonly place: string
  readonly onChange: (draft: D) => void
}

function PropertyField({ property, draft, place, onChange }: FieldProps) {
  switch (draft.kind) {
    case 'list': {
      const choices = draft.items.every((item) => isPlain(item.draft)) ? choicesOf(property) : undefined
      return choices ? (
        <ChoicesGroup place={place} property={property} draft={draft} choices={choices} onChange={onChange} />
      ) : (
        <ListGroup
          place={place}
          property={property}
          draft={draft}
          onChange={onChange}
          renderItem={(item, at, name, onItem) => (
            <ItemField property={property} draft={item.draft} place={at} name={name} onChange={onItem} />
          )}
        />
      )
    }
    case 'languages':
      return <LanguagesGroup place={place} property={property} draft={draft} onChange={onChange} />
    case 'embedded':
      return (
        <EmbeddedGroup
          place={place}
          property={property}
          draft={draft}
          onChange={onChange}
          renderFields={renderFields}
        />
      )
    case 'boolean':
      return (
        <BooleanGroup
          place={place}
          property={property}
          draft={draft}
          onText={(text) => onChange({ ...draft, text })}
        />
      )
    default:
      return <TextField property={property} draft={draft} place={place} onChange={onChange} />
  }
}

/** Whether one text says all of it; what is not as it was described is shown as JSON. */
const isPlain = (draft: Draft): boolean => 'text' in draft && draft.kind !== 'json'

function TextField({ property, draft, place, onChange }: FieldProps<TextDraft>) {
  const hint = hintOf(property, draft.kind)
  const pattern = patternHint(property)
  return (
    <div class="field">
      <label for={place}>
        {labelOf(property)} <RequiredMark required={property.required} />
      </label>
      <Hint place={place} text={hint} pattern={pattern} />
      <ValueControl
        {...useDescribed(place, hint || pattern)}
        place={place}
        property={property}
        draft={draft}
        alone
        onText={(text) => onChange({ ...draft, text })}
      />
      <Violations place={place} />
    </div>
  )
}

/** One of several values: the list has the hint, and the name to be seen. */
function ItemField({ property, draft, place, name, onChange }: FieldProps & { readonly name: string }) {
  const described = useDescribed(place, '')
  if (draft.kind === 'embedded') {
    return (
      <EmbeddedGroup
        place={place}
        property={property}
        draft={draft}
        name={name}
        onChange={onChange}
        renderFields={renderFields}
      />
    )
  }
  if (draft.kind === 'list' || draft.kind === 'languages') return null
  return (
    <div class="form-item">
      <ValueControl
        {...described}
        place={place}
        property={property}
        draft={draft}
        name={name}
        alone={false}
        onText={(text) => onChange({ ...draft, text })}
      />
      <Violations place={place} />
    </div>
  )
}
