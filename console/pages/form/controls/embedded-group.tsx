import type { ComponentChildren } from 'preact'
import type { PropertyDescription } from '../../../../src/client/index.ts'
import { useApi } from '../../../shared/api.ts'
import { Button } from '../../../shared/controls/button.tsx'
import { inWords } from '../../../shared/names/naming.ts'
import { type EmbeddedDraft, type PropertyDraft, shown } from '../drafts/draft.ts'
import { labelOf } from '../drafts/field-ids.ts'
import { isObject } from '../drafts/kinds.ts'
import { Group } from './field-parts.tsx'
import { focusPlace } from './focus.ts'
import { FixedValues } from './read-only-values.tsx'

export interface EmbeddedGroupProps {
  readonly place: string
  readonly property: PropertyDescription
  readonly draft: EmbeddedDraft
  /** Where it is one of several, which tells it from the others: then it is the list that takes it away. */
  readonly name?: string | undefined
  readonly onChange: (draft: EmbeddedDraft) => void
  readonly renderFields: (
    drafts: readonly PropertyDraft[],
    place: string,
    onChange: (drafts: readonly PropertyDraft[]) => void,
  ) => ComponentChildren
}

/** A value within the member, with properties of its own. */
export function EmbeddedGroup({ place, property, draft, name, onChange, renderFields }: EmbeddedGroupProps) {
  const { documentation } = useApi()
  const label = name ?? labelOf(property)
  const canGo = name === undefined && !property.required
  const show = (present: boolean) => {
    onChange(present ? shown(draft, documentation) : { ...draft, present })
    // After what is new has been drawn.
    requestAnimationFrame(() => focusPlace(place))
  }
  return (
    <Group
      place={place}
      label={label}
      hint={property.description}
      required={property.required && name === undefined}
      class={draft.present ? 'form-embedded' : ''}
    >
      {draft.present ? (
        <>
          {renderFields(draft.properties, place, (properties) => onChange({ ...draft, properties }))}
          {isObject(draft.given) && <FixedValues cls={draft.cls} data={draft.given} />}
          {canGo && (
            <Button class="quiet form-remove" onClick={() => show(false)}>
              Remove {inWords(label)}
            </Button>
          )}
        </>
      ) : (
        <Button class="form-add" onClick={() => show(true)}>
          Add {inWords(label)}
        </Button>
      )}
    </Group>
  )
}
