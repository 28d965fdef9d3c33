import type { ComponentChildren } from 'preact'

/** The head of a column, with arrows: `aria-sort` of the cell shows which of them holds. */
export const SortButton = ({ onClick, children }: { onClick: () => void; children: ComponentChildren }) => (
  <button type="button" class="table-sort" onClick={onClick}>
    <span>{children}</span>
    <svg class="table-arrow" viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
      <path class="up" d="M4 0 8 5H0z" />
      <path class="down" d="M4 12 0 7h8z" />
    </svg>
  </button>
)
