import type { Page } from '../../src/client/index.ts'
import { hrefOf } from '../routes.ts'
import { queryOf } from './query.ts'

interface PagerProps {
  /** Of the collection. */
  readonly name: string
  readonly links: Pick<Page<object>, 'first' | 'previous' | 'next' | 'last'>
  /** To other rows of the same page, where it is too large to be shown at once. */
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** The ways to other pages, by the addresses that the API gives. */
export function Pager({ name, links, onPrevious, onNext }: PagerProps) {
  const { previous, next } = links
  const isFirst = previous === undefined && !onPrevious
  const isLast = next === undefined && !onNext
  return (
    <nav class="table-pager" aria-label="Pages">
      <Turn name={name} label="First" icon="M6 2v12M13 3 8 8l5 5" to={isFirst ? undefined : links.first} />
      <Turn name={name} label="Previous" icon="M10 3 5 8l5 5" to={previous} onTurn={onPrevious} />
      <Turn name={name} label="Next" icon="m6 3 5 5-5 5" to={next} onTurn={onNext} />
      <Turn name={name} label="Last" icon="M10 2v12M3 3l5 5-5 5" to={isLast ? undefined : links.last} />
    </nav>
  )
}

interface TurnProps {
  readonly name: string
  readonly label: string
  readonly icon: string
  readonly to: string | undefined
  readonly onTurn?: (() => void) | undefined
}

/** A link, since a page has an address; one that leads nowhere keeps the focus that it may have. */
function Turn({ name, label, icon, to, onTurn }: TurnProps) {
  const content = (
    <>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={icon} />
      </svg>
      <span>{label}</span>
    </>
  )
  if (onTurn) {
    return (
      <button type="button" class="button" onClick={onTurn}>
        {content}
      </button>
    )
  }
  const leading = to === undefined ? NOWHERE : { href: hrefOf({ page: 'table', name, query: queryOf(to) }) }
  return (
    <a class="button" {...leading}>
      {content}
    </a>
  )
}

const NOWHERE = { role: 'link', 'aria-disabled': 'true', tabIndex: 0 } as const
