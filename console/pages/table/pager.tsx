import type { Page } from '../../../src/client/index.ts'
import { hrefOf } from '../../shared/routes.ts'
import type { Part } from './position.ts'
import { queryOf } from './query.ts'

interface PagerProps {
  /** Of the collection. */
  readonly name: string
  readonly links: Pick<Page<object>, 'first' | 'previous' | 'next' | 'last'>
  /** Of a page that is too large to be shown at once: its other rows come before other pages. */
  readonly part: Part
  readonly onPart: (number: number) => void
}

/** The ways to other pages, by the addresses that the API gives. */
export function Pager({ name, links, part, onPart }: PagerProps) {
  const { first, previous, next, last } = links
  const { number, lastNumber } = part
  const leadTo = (address: string | undefined): Leading =>
    address === undefined ? NOWHERE : { href: hrefOf({ page: 'table', name, query: queryOf(address) }) }
  // The address stays; only other rows of its page are shown.
  const turnTo = (other: number): Leading => ({
    href: location.hash,
    onClick(event) {
      event.preventDefault()
      onPart(other)
    },
  })
  const isFirst = number === 0
  const isLast = number === lastNumber
  return (
    <nav class="table-pager" aria-label="Pages">
      <Turn
        label="First"
        icon="M6 2v12M13 3 8 8l5 5"
        leading={previous !== undefined ? leadTo(first) : isFirst ? NOWHERE : turnTo(0)}
      />
      <Turn label="Previous" icon="M10 3 5 8l5 5" leading={isFirst ? leadTo(previous) : turnTo(number - 1)} />
      <Turn label="Next" icon="m6 3 5 5-5 5" leading={isLast ? leadTo(next) : turnTo(number + 1)} />
      <Turn
        label="Last"
        icon="M10 2v12M3 3l5 5-5 5"
        leading={next !== undefined ? leadTo(last) : isLast ? NOWHERE : turnTo(lastNumber)}
      />
    </nav>
  )
}

type Leading = typeof NOWHERE | { readonly href: string; readonly onClick?: (event: Event) => void }

/** A link that leads nowhere keeps the focus that it may have. */
const NOWHERE = { role: 'link', 'aria-disabled': 'true', tabIndex: 0 } as const

interface TurnProps {
  readonly label: string
  readonly icon: string
  readonly leading: Leading
}

/** A link, since a page has an address. */
const Turn = ({ label, icon, leading }: TurnProps) => (
  <a class="button" {...leading}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={icon} />
    </svg>
    <span>{label}</span>
  </a>
)
