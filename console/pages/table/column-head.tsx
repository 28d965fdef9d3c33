import type { Column } from './columns.ts'
import { type Direction, nextDirection } from './query.ts'

interface ColumnHeadProps {
  readonly column: Column
  readonly direction: Direction | undefined
  /** Undefined where nobody can sort by it. */
  readonly onSort: ((direction: Direction | undefined) => void) | undefined
}

const SORTED = { asc: 'ascending', desc: 'descending' } as const

export function ColumnHead({ column, direction, onSort }: ColumnHeadProps) {
  return (
    <th
      scope="col"
      class={column.kind}
      title={column.description || undefined}
      aria-sort={direction && SORTED[direction]}
    >
      {onSort ? (
        <button type="button" class="table-sort" onClick={() => onSort(nextDirection(direction))}>
          {column.title}
          <svg class="table-arrow" viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
            <path class="up" d="M4 0 8 5H0z" />
            <path class="down" d="M4 12 0 7h8z" />
          </svg>
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}
