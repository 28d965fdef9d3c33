import type { Member } from 'hydrant-client'
import type { RowSelection } from './use-selection.ts'

interface SelectPageProps {
  readonly shown: readonly Member[]
  readonly selection: RowSelection
}

/** The cell of the head. It is no column head, since the rows do not read it out. */
export function SelectPage({ shown, selection }: SelectPageProps) {
  const count = shown.filter(({ iri }) => selection.has(iri)).length
  const isAll = count > 0 && count === shown.length
  return (
    <td class="table-pick">
      <label>
        <input
          type="checkbox"
          aria-label="Select all on this page"
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          onChange={() => selection.set(shown, !isAll)}
        />
      </label>
    </td>
  )
}

interface SelectRowProps {
  readonly name: string
  readonly checked: boolean
  readonly onSelect: (isRange: boolean) => void
}

export const SelectRow = ({ name, checked, onSelect }: SelectRowProps) => (
  <td class="table-pick">
    {/* The whole cell can be clicked. */}
    <label>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={checked}
        onClick={({ shiftKey }) => onSelect(shiftKey)}
      />
    </label>
  </td>
)
