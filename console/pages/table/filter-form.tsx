import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from '../../shared/controls/button.tsx'
import { LinkPicker } from '../form/picker/link-picker.tsx'
import {
  conditionOf,
  type Draft,
  fromLocal,
  optionsOf,
  startDraft,
  toLocal,
  withTopic,
} from './filter-draft.ts'
import type { Topic } from './filter-topics.ts'
import type { Condition } from './query.ts'

interface FilterFormProps {
  readonly topics: readonly Topic[]
  /** To be changed; undefined for a new one. */
  readonly condition: Condition | undefined
  /** Why the API refuses what was asked last. */
  readonly refused: boolean
  /** Where the reason stands. */
  readonly reasonId: string
  /** `shown`: how the value is written where it is put in; of a member, its name. */
  readonly onApply: (condition: Condition, shown: string, repeatable: boolean) => void
  readonly onCancel: () => void
}

/** Property, comparison, value. What was typed stays until the API has taken it. */
export function FilterForm({ topics, condition, refused, reasonId, onApply, onCancel }: FilterFormProps) {
  const [draft, setDraft] = useState<Draft | undefined>(() => startDraft(topics, condition))
  const first = useRef<HTMLSelectElement>(null)
  const id = useId()
  useEffect(() => first.current?.focus(), [])
  if (!draft) return null
  const { topic, choice } = draft
  return (
    <form
      class="table-filter card"
      aria-label={condition ? 'Change the filter' : 'New filter'}
      onSubmit={(event) => {
        event.preventDefault()
        const field = document.getElementById(`${id}-value`)
        const shown = field instanceof HTMLInputElement ? field.value : ''
        onApply(conditionOf(draft), shown, choice.variable.repeatable)
      }}
    >
      <div class="field">
        <label for={`${id}-topic`}>Property</label>
        <select
          ref={first}
          id={`${id}-topic`}
          class="input"
          value={topic.key}
          onChange={({ currentTarget }) => {
            const chosen = topics.find(({ key }) => key === currentTarget.value)
            setDraft(chosen && withTopic(chosen, draft))
          }}
        >
          {topics.map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-choice`}>Comparison</label>
        <select
          id={`${id}-choice`}
          class="input"
          value={choice.key}
          onChange={({ currentTarget }) => {
            const chosen = topic.choices.find(({ key }) => key === currentTarget.value)
            if (chosen) setDraft({ ...draft, choice: chosen })
          }}
        >
          {topic.choices.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {choice.fixed === undefined && (
        <div class="field table-filter-value">
          <label for={`${id}-value`}>
            Value{topic.kind === 'dateTime' && <span class="table-clock"> (local time)</span>}
          </label>
          <FilterValue
            id={`${id}-value`}
            draft={draft}
            isInvalid={refused}
            describedBy={refused ? reasonId : undefined}
            onValue={(value) => setDraft({ ...draft, value })}
          />
        </div>
      )}
      <div class="actions">
        <Button type="submit" class="primary">
          Apply
        </Button>
        <Button class="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface FilterValueProps {
  readonly id: string
  readonly draft: Draft
  readonly isInvalid: boolean
  readonly describedBy: string | undefined
  readonly onValue: (value: string) => void
}

/** What the property is compared with, by the type of its values. */
export function FilterValue({ id, draft, isInvalid, describedBy, onValue }: FilterValueProps) {
  const { kind, title, property } = draft.topic
  const { operator } = draft.choice.variable
  const options = optionsOf(draft)
  const shared = { id, class: 'input', 'aria-invalid': isInvalid, 'aria-describedby': describedBy }
  if (options) {
    return (
      <select
        {...shared}
        value={conditionOf(draft).value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onValue(currentTarget.value)
  const isOne = operator !== 'between'
  if (kind === 'link' && isOne) {
    return (
      <LinkPicker
        id={id}
        target={property?.range}
        value={draft.value}
        label={title}
        invalid={isInvalid}
        describedBy={describedBy}
        required
        onChange={onValue}
        onTyping={onValue}
      />
    )
  }
  if (kind === 'dateTime' && isOne) {
    return (
      <input
        {...shared}
        type="datetime-local"
        step="1"
        required
        value={toLocal(draft.value)}
        onInput={({ currentTarget }) => onValue(fromLocal(currentTarget.value))}
      />
    )
  }
  if (kind === 'date' && isOne)
    return <input {...shared} type="date" required value={draft.value} onInput={onInput} />
  return (
    <input
      {...shared}
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
      required
      value={draft.value}
      onInput={onInput}
    />
  )
}
