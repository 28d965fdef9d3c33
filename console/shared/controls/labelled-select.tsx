import type { ComponentProps } from 'preact'
import { useId } from 'preact/hooks'
import { Select } from './controls.tsx'

interface LabelledSelectProps extends Omit<ComponentProps<typeof Select>, 'id'> {
  readonly label: string
}

/** A choice with its label above it. */
export function LabelledSelect({ label, ...select }: LabelledSelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select {...select} id={id} />
    </div>
  )
}
