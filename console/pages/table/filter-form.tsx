import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, LabelledSelect, Select } from '../../shared/controls/index.ts'
import { isNumber, type Kind } from '../../shared/values.ts'
import { LinkPicker } from '../form/index.ts'
import {
  type FilterDraft,
  filterOf,
  fromLocal,
  optionsOf,
  startDraft,
  type Topic,
  toLocal,
  withTopic,
} from './filter-topics.ts'
import type { QueryFilter } from './query.ts'

interface FilterFormProps {
  readonly topics: readonly Topic[]
  readonly filter: QueryFilter | undefined
  /** Why the API refused the filter. */
  readonly reason: string | undefined
  readonly onApply: (filter: QueryFilter, repeatable: boolean) => void
  readonly onCancel: () => void
}

export function FilterForm({ topics, filter, reason, onApply, onCancel }: FilterFormProps) {
  const [draft, setDraft] = useState<FilterDraft | undefined>(() => startDraft(topics, filter))
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector('select')?.focus(), [])
  if (!draft) return null
  const { topic, choice } = draft
  return (
    <form
      ref={form}
      class="table-filter card"
      aria-label={filter ? 'Change the filter' : 'New filter'}
      onSubmit={(event) => {
        event.preventDefault()
        onApply(filterOf(draft), choice.variable.repeatable)
      }}
    >
      <LabelledSelect
        label="Property"
        value={topic.key}
        options={topics.map(({ key, title }) => [key, title])}
        onChange={(wanted) => {
          const chosen = topics.find(({ key }) => key === wanted)
          setDraft(chosen && withTopic(chosen, draft))
        }}
      />
      <LabelledSelect
        label="Comparison"
        value={choice.label}
        options={topic.choices.map(({ label }) => [label, label])}
        onChange={(wanted) => {
          const chosen = topic.choices.find(({ label }) => label === wanted)
          if (chosen) setDraft({ ...draft, choice: chosen })
        }}
      />
      {choice.fixed === undefined && (
        <div class="field table-filter-value">
          <label for={`${id}-value`}>
            Value{topic.kind === 'dateTime' && <span class="soft"> (local time)</span>}
          </label>
          <FilterValue
            id={`${id}-value`}
            draft={draft}
            reasonId={reason === undefined ? undefined : `${id}-reason`}
            onValue={(value) => setDraft({ ...draft, value })}
          />
          {reason !== undefined && (
            <p class="violation" id={`${id}-reason`} role="alert">
              {reason}
            </p>
          )}
        </div>
      )}
      <div class="actions">
        <Button label="Apply" type="submit" class="primary" />
        <Button label="Cancel" class="quiet" onClick={onCancel} />
      </div>
    </form>
  )
}

/** `max` ends the year after four digits; without it the field would take more. */
const FIELDS: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
  date: { type: 'date', max: '9999-12-31' },
  dateTime: { type: 'datetime-local', max: '9999-12-31T23:59:59', step: '1' },
}

interface FilterValueProps {
  readonly id: string
  readonly draft: FilterDraft
  readonly reasonId: string | undefined
  readonly onValue: (value: string) => void
}

function FilterValue({ id, draft, reasonId, onValue }: FilterValueProps) {
  const { kind, title, property } = draft.topic
  const isOne = draft.choice.variable.operator !== 'between'
  const options = optionsOf(draft)
  const invalid = reasonId !== undefined
  const shared = { id, 'aria-invalid': invalid, 'aria-describedby': reasonId }
  if (options)
    return <Select {...shared} value={filterOf(draft).value} options={options} onChange={onValue} />
  if (kind === 'link' && isOne) {
    return (
      <LinkPicker
        {...shared}
        target={property?.range}
        value={draft.value}
        label={title}
        aria-required
        onChange={onValue}
      />
    )
  }
  const field = (isOne && FIELDS[kind]) || { type: 'text' }
  const isInstant = field === FIELDS.dateTime
  return (
    <input
      {...shared}
      class="input"
      {...(field as { type: 'text' })}
      inputMode={isNumber(kind) ? 'decimal' : 'text'}
      autocomplete="off"
      required
      value={isInstant ? toLocal(draft.value) : draft.value}
      onInput={({ currentTarget: { value } }) => onValue(isInstant ? fromLocal(value) : value)}
    />
  )
}
