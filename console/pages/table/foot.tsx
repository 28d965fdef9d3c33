import type { CollectionPage } from 'hydrant-client'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { sentenceOf, useApi } from '../../shared/connection/index.ts'
import { Button, Select } from '../../shared/controls/index.ts'
import { hrefOf, inWords } from '../../shared/names.ts'
import type { LinkNames } from './link-names.ts'
import { positionText } from './position.ts'
import { orderOf, queryOf, readQuery, SORTED, withValue } from './query.ts'
import type { Counting, Table, View } from './use-table.ts'

interface FootProps {
  readonly table: Table
  readonly page: CollectionPage<object>
  readonly view: View
}

export function Foot(props: FootProps) {
  const { table, page, view } = props
  const { before, start, end, total, counting, linkNames } = view
  const order = orderOf(table.answered)
  const status = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    // The button that had the focus goes when the count comes.
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
            // A column head shows it to the eye.
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
      title="Reads the names of what these rows link to: a request for each that is not known yet"
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
  // The default: from the API's own address of the page, or from a full page.
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

/** Links to other pages, by the addresses that the API gives. The other rows of a large page come before them. */
function Pager({ table, page, view }: FootProps) {
  const { name } = table.collection
  const { first, previous, next, last = view.counting.last } = page
  const { number, lastNumber } = view
  /** `other`: the rows of this page that are shown where there is no address. */
  const targetOf = (address: string | undefined, other?: number): Target => {
    if (address !== undefined) return { href: hrefOf({ page: 'table', name, query: queryOf(address) }) }
    if (other === undefined || other === number) return NOWHERE
    // The address stays the same: other rows of its page are shown.
    const onClick = (event: Event) => {
      event.preventDefault()
      view.turn(other)
    }
    return { href: location.hash, onClick }
  }
  const before = number === 0 ? previous : undefined
  const after = number === lastNumber ? next : undefined
  const links: readonly (readonly [label: string, icon: string, target: Target])[] = [
    ['First', 'M6 2v12M13 3 8 8l5 5', targetOf(previous && first, previous ? undefined : 0)],
    ['Previous', 'M10 3 5 8l5 5', targetOf(before, Math.max(0, number - 1))],
    ['Next', 'm6 3 5 5-5 5', targetOf(after, Math.min(lastNumber, number + 1))],
    ['Last', 'M10 2v12M3 3l5 5-5 5', targetOf(next && last, next ? undefined : lastNumber)],
  ]
  return (
    <nav class="table-pager" aria-label="Pages">
      {links.map(([label, icon, target]) => (
        <a key={label} class="button" {...target}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={icon} />
          </svg>
          <span>{label}</span>
        </a>
      ))}
    </nav>
  )
}

type Target = typeof NOWHERE | { readonly href: string; readonly onClick?: (event: Event) => void }

/** A disabled link keeps the focus that it may have. */
const NOWHERE = { role: 'link', 'aria-disabled': 'true', tabIndex: 0 } as const
