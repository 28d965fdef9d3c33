import type { CollectionPage } from 'hydrant-client'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { sentenceOf, useApi } from '../../shared/connection/index.ts'
import { Button, Select } from '../../shared/controls/index.ts'
import { inWords } from '../../shared/names.ts'
import { queryOf, SORTED } from '../../shared/queries.ts'
import type { LinkNames } from './link-names.ts'
import { positionText } from './position.ts'
import { orderOf, readQuery, withValue } from './query.ts'
import type { Counting, TableState, View } from './use-table.ts'

interface FootProps {
  readonly table: TableState
  readonly page: CollectionPage<object>
  readonly view: View
}

export function Foot(props: FootProps) {
  const { table, page, view } = props
  const { before, start, end, total, counting, linkNames } = view
  const order = orderOf(table.answered)
  const status = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    // The button that had the focus disappears when the count arrives.
    if (counting.total !== undefined && document.activeElement === document.body) status.current?.focus()
  }, [counting.total])
  return (
    <div class="table-foot row">
      <div class="table-place row">
        <p ref={status} role="status" tabIndex={-1}>
          {positionText({
            before: before === undefined ? undefined : before + start,
            shown: end - start,
            total,
            countsToThousand: table.isHydrant,
          })}
          {order && (
            // For screen readers; the column head shows it to everyone else.
            <span class="visually-hidden">
              , sorted by {inWords(order.name)}, {SORTED[order.direction]}
            </span>
          )}
        </p>
        {total === undefined && <Count {...counting} />}
        {linkNames.isUseful && <Naming {...linkNames} />}
      </div>
      <PageSize table={table} page={page} />
      <Pager {...props} />
    </div>
  )
}

const Naming = ({ isOn, isBusy, toggle }: LinkNames) => (
  <>
    <Button
      label="Show names"
      class="table-naming"
      aria-pressed={isOn}
      title="Reads the names of linked members, with one request for each that is not known yet"
      onClick={toggle}
    />
    <span class="hint" role="status">
      {isBusy && 'Reading names …'}
    </span>
  </>
)

const Count = ({ busy, error, count }: Counting) => (
  <>
    <Button label="Count" busy={busy && 'Counting …'} class="table-count" onClick={count} />
    {error !== undefined && (
      <p class="violation" role="alert">
        {sentenceOf(error)}
      </p>
    )}
  </>
)

const SIZES = ['10', '20', '50', '100']

function PageSize({ table, page }: Pick<FootProps, 'table' | 'page'>) {
  const { pairs, variables, ask } = table
  const { name } = table.collection
  const id = useId()
  const { sizes } = useApi().memory
  const variable = variables.find(({ role }) => role === 'limit')
  if (!variable) return null
  // The default is in the API's own address of the page, or the length of a full page.
  const told = readQuery(queryOf(page.iri), variables).find(({ role }) => role === 'limit')?.value
  const asked = pairs.find(({ role }) => role === 'limit')?.value
  const usual = asked === undefined ? (told ?? (page.next && String(page.members.length))) : undefined
  if (usual !== undefined) sizes.set(name, usual)
  const standard = sizes.get(name)
  const offered = asked === undefined || SIZES.includes(asked) ? SIZES : [asked, ...SIZES]
  return (
    <div class="table-size row">
      <label for={id}>Rows</label>
      <Select
        id={id}
        value={asked ?? ''}
        options={[
          ['', standard ? `Default (${standard})` : 'Default'],
          ...offered.map((size) => [size, size] as const),
        ]}
        onChange={(size) => ask(withValue(pairs, variable.name, size || undefined))}
      />
    </div>
  )
}

/** Links to other pages, at the addresses that the API gives. A large page is shown in parts, which come first. */
function Pager({ table, page, view }: FootProps) {
  const { first, previous, next, last = view.counting.last } = page
  const { number, lastNumber } = view
  /** `other`: the part of this page to show if there is no address. */
  const targetOf = (address: string | undefined, other?: number): PagerTarget => {
    if (address !== undefined) return { href: table.hrefOf(queryOf(address)) }
    if (other === undefined || other === number) return NOWHERE
    // The address stays the same: another part of its page is shown.
    const onClick = (event: Event) => {
      event.preventDefault()
      view.turn(other)
    }
    return { href: location.hash, onClick }
  }
  const before = number === 0 ? previous : undefined
  const after = number === lastNumber ? next : undefined
  const targets = {
    first: targetOf(previous && first, previous ? undefined : 0),
    prev: targetOf(before, Math.max(0, number - 1)),
    next: targetOf(after, Math.min(lastNumber, number + 1)),
    last: targetOf(next && last, next ? undefined : lastNumber),
  }
  return (
    <nav class="table-pager" aria-label="Pages">
      {PAGER_LINKS.map(({ rel, label, icon }) => (
        <a key={rel} rel={rel} class="button" {...targets[rel]}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={icon} />
          </svg>
          <span>{label}</span>
        </a>
      ))}
    </nav>
  )
}

const PAGER_LINKS = [
  { rel: 'first', label: 'First', icon: 'M6 2v12M13 3 8 8l5 5' },
  { rel: 'prev', label: 'Previous', icon: 'M10 3 5 8l5 5' },
  { rel: 'next', label: 'Next', icon: 'm6 3 5 5-5 5' },
  { rel: 'last', label: 'Last', icon: 'M10 2v12M3 3l5 5-5 5' },
] as const

type PagerTarget = typeof NOWHERE | { readonly href: string; readonly onClick?: (event: Event) => void }

/** A disabled link can keep the focus. */
const NOWHERE = { role: 'link', 'aria-disabled': 'true', tabIndex: 0 } as const
