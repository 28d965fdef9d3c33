import type { ComponentChildren } from 'preact'
import { useApi } from '../../../shared/connection/index.ts'
import { Button } from '../../../shared/controls/index.ts'
import { inWords } from '../../../shared/names/index.ts'
import { isObject } from '../../../shared/values/index.ts'
import { type EmbeddedDraft, type PropertyDraft, shown } from '../drafts/draft.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { type FieldProps, Group } from './field-parts.tsx'
import { focusField } from './focus.ts'
import { ReadOnlyValues } from './read-only-values.tsx'

export type RenderFields = (props: {
  readonly drafts: readonly PropertyDraft[]
  readonly id: string
  readonly onChange: (drafts: readonly PropertyDraft[]) => void
}) => ComponentChildren

interface EmbeddedGroupProps extends FieldProps<EmbeddedDraft> {
  /** Of one among several: then the list removes it. */
  readonly name?: string | undefined
  readonly renderFields: RenderFields
}

export function EmbeddedGroup({ id, property, draft, name, onChange, renderFields }: EmbeddedGroupProps) {
  const { documentation } = useApi()
  const label = name ?? labelOf(property)
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
      hint={property.description}
      class={draft.present ? 'form-embedded' : ''}
    >
      {draft.present ? (
        <>
          {renderFields({
            drafts: draft.properties,
            id,
            onChange: (properties) => onChange({ ...draft, properties }),
          })}
          {isObject(draft.given) && <ReadOnlyValues cls={draft.cls} data={draft.given} />}
          {canRemove && (
            <Button
              label={`Remove ${inWords(label)}`}
              class="quiet form-remove"
              onClick={() => show(false)}
            />
          )}
        </>
      ) : (
        <Button label={`Add ${inWords(label)}`} class="form-add" onClick={() => show(true)} />
      )}
    </Group>
  )
}
