import type { Page } from '../../../src/client/index.ts'
import { hrefOf } from '../../shared/names/index.ts'
import type { RowRange } from './position.ts'
import { queryOf } from './query.ts'

interface PagerProps {
  readonly name: string
  readonly links: Pick<Page<object>, 'first' | 'previous' | 'next' | 'last'>
  /** Of a page that is too large to be shown at once: its other rows come before other pages. */
  readonly range: RowRange
  readonly onRange: (number: number) => void
}

/** Links to other pages, by the addresses that the API gives. */
export function Pager({ name, links, range, onRange }: PagerProps) {
  const { first, previous, next, last } = links
  const { number, lastNumber } = range
  const toPage = (address: string | undefined): Target =>
    address === undefined ? NOWHERE : { href: hrefOf({ page: 'table', name, query: queryOf(address) }) }
  // The address stays the same: other rows of its page are shown.
  const toRange = (other: number): Target => ({
    href: location.hash,
    onClick(event) {
      event.preventDefault()
      onRange(other)
    },
  })
  const isFirst = number === 0
  const isLast = number === lastNumber
  return (
    <nav class="table-pager" aria-label="Pages">
      <PagerLink
        label="First"
        icon="M6 2v12M13 3 8 8l5 5"
        target={previous !== undefined ? toPage(first) : isFirst ? NOWHERE : toRange(0)}
      />
      <PagerLink
        label="Previous"
        icon="M10 3 5 8l5 5"
        target={isFirst ? toPage(previous) : toRange(number - 1)}
      />
      <PagerLink label="Next" icon="m6 3 5 5-5 5" target={isLast ? toPage(next) : toRange(number + 1)} />
      <PagerLink
        label="Last"
        icon="M10 2v12M3 3l5 5-5 5"
        target={next !== undefined ? toPage(last) : isLast ? NOWHERE : toRange(lastNumber)}
      />
    </nav>
  )
}

type Target = typeof NOWHERE | { readonly href: string; readonly onClick?: (event: Event) => void }

/** A disabled link keeps the focus that it may have. */
const NOWHERE = { role: 'link', 'aria-disabled': 'true', tabIndex: 0 } as const

interface PagerLinkProps {
  readonly label: string
  readonly icon: string
  readonly target: Target
}

const PagerLink = ({ label, icon, target }: PagerLinkProps) => (
  <a class="button" {...target}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={icon} />
    </svg>
    <span>{label}</span>
  </a>
)
