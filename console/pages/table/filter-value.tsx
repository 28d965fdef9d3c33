import { LinkPicker } from '../form/picker/link-picker.tsx'
import { conditionOf, type Draft, fromLocal, optionsOf, toLocal } from './filter-draft.ts'

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
