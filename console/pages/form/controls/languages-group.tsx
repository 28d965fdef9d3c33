import type { PropertyDescription } from '../../../../src/client/index.ts'
import { Button } from '../../../shared/controls/button.tsx'
import { inWords } from '../../../shared/names/naming.ts'
import { type LanguageRow, type LanguagesDraft, withRow } from '../drafts/draft.ts'
import { labelOf, placeIn } from '../drafts/field-ids.ts'
import { Group, useDescribed, Violations } from './field-parts.tsx'
import { focusPlace, submitOnEnter, useFocusAdded } from './focus.ts'
import { hintOf } from './hints.ts'

interface LanguagesGroupProps {
  readonly place: string
  readonly property: PropertyDescription
  readonly draft: LanguagesDraft
  readonly onChange: (draft: LanguagesDraft) => void
}

/** One text for each language. */
export function LanguagesGroup({ place, property, draft, onChange }: LanguagesGroupProps) {
  const label = labelOf(property)
  const addId = `${place}-add`
  const { rows } = draft
  const expectOneMore = useFocusAdded(place, rows)

  const add = () => {
    expectOneMore()
    // Most write in their own language first.
    onChange(withRow(draft, rows.length === 0 ? navigator.language.split('-')[0] : ''))
  }
  const remove = (row: LanguageRow) => {
    onChange({ ...draft, rows: rows.filter((one) => one !== row) })
    focusPlace(addId)
  }
  return (
    <Group place={place} label={label} hint={hintOf(property, 'languages')} required={property.required}>
      {rows.length > 0 && (
        <ol class="form-list">
          {rows.map((row) => (
            <Row
              key={row.key}
              place={placeIn(place, row.key)}
              label={label}
              row={row}
              onChange={(changed) =>
                onChange({ ...draft, rows: rows.map((one) => (one === row ? changed : one)) })
              }
              onRemove={() => remove(row)}
            />
          ))}
        </ol>
      )}
      <Button id={addId} class="form-add" onClick={add}>
        Add a language<span class="visually-hidden"> to {inWords(label)}</span>
      </Button>
    </Group>
  )
}

interface RowProps {
  readonly place: string
  readonly label: string
  readonly row: LanguageRow
  readonly onChange: (row: LanguageRow) => void
  readonly onRemove: () => void
}

function Row({ place, label, row, onChange, onRemove }: RowProps) {
  const { describedBy, invalid } = useDescribed(place, '')
  const language = row.tag.trim() || 'no language yet'
  return (
    <li class="form-language">
      <input
        id={place}
        class="input form-tag"
        type="text"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="Language"
        aria-label={`Language of ${inWords(label)}`}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        value={row.tag}
        // What was proposed is overwritten by who wants another one.
        onFocus={(event) => row.text === '' && event.currentTarget.select()}
        onInput={(event) => onChange({ ...row, tag: event.currentTarget.value })}
      />
      <textarea
        class="input form-long"
        rows={1}
        lang={row.tag.trim() || undefined}
        aria-label={`${label} (${language})`}
        aria-describedby={describedBy}
        value={row.text}
        placeholder="Text"
        onKeyDown={submitOnEnter}
        onInput={(event) => onChange({ ...row, text: event.currentTarget.value })}
      />
      <Button class="form-remove" aria-label={`Remove ${inWords(label)} (${language})`} onClick={onRemove}>
        Remove
      </Button>
      <Violations place={place} />
    </li>
  )
}
