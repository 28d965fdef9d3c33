import type { Option } from '../values/index.ts'

interface SelectProps {
  readonly id?: string
  readonly class?: string
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
  readonly [attribute: `aria-${string}`]: string | boolean | undefined
}

export const Select = ({ class: look = '', options, onChange, ...more }: SelectProps) => (
  <select {...more} class={`input ${look}`} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)
