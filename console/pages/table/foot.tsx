import { useEffect, useId, useRef } from 'preact/hooks'
import type { Page } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { Button } from '../../shared/controls/button.tsx'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'
import { memoryOf } from '../../shared/names/memory.ts'
import { inWords } from '../../shared/names/naming.ts'
import type { Variable } from '../../shared/search-variables.ts'
import type { LinkNames } from './link-names.ts'
import { Pager } from './pager.tsx'
import { type Part, placeText } from './position.ts'
import { type Order, type Pair, queryOf, readQuery, withValue } from './query.ts'
import type { Counting } from './use-count.ts'

interface FootProps {
  readonly name: string
  readonly page: Page<object>
  /** How many members come before those of the page; undefined where nobody knows. */
  readonly before: number | undefined
  readonly total: number | undefined
  readonly order: Order | undefined
  readonly pairs: readonly Pair[]
  readonly variables: readonly Variable[]
  readonly countsToThousand: boolean
  readonly counting: Counting
  readonly linkNames: LinkNames
  readonly part: Part
  readonly onPart: (part: number) => void
  readonly onQuery: (query: string) => void
}

/** Where in the collection one is, and the ways to elsewhere. */
export function Foot(props: FootProps) {
  const { name, page, before, total, order, countsToThousand, counting, linkNames, part, onPart } = props
  const { start, end } = part
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // With the count, the button is gone that the focus was on.
    if (counting.total !== undefined && document.activeElement === document.body) status.current?.focus()
  }, [counting.total])
  const place = placeText({
    before: before === undefined ? undefined : before + start,
    shown: end - start,
    total,
    countsToThousand,
  })
  return (
    <div class="table-foot">
      <div class="table-place">
        <p ref={status} role="status" tabIndex={-1}>
          {place}
          {order && <Sorted {...order} />}
        </p>
        {total === undefined && <Count {...counting} />}
        {linkNames.isUseful && <Naming {...linkNames} />}
      </div>
      <PageSize {...props} />
      <Pager name={name} links={{ ...page, last: page.last ?? counting.last }} part={part} onPart={onPart} />
    </div>
  )
}

/** A column shows it; who hears the page is told. */
function Sorted({ name, direction }: Order) {
  return (
    <span class="visually-hidden">
      , sorted by {inWords(name)}, {direction === 'asc' ? 'ascending' : 'descending'}
    </span>
  )
}

function Naming({ isOn, isBusy, toggle }: LinkNames) {
  return (
    <>
      <Button
        class="table-naming"
        aria-pressed={isOn}
        title="Reads the names of what these rows link to: a request for each that is not known yet"
        onClick={toggle}
      >
        Show names
      </Button>
      <span class="hint" role="status">
        {isBusy && 'Reading names …'}
      </span>
    </>
  )
}

function Count({ busy, error, count }: Counting) {
  return (
    <>
      <Button class="table-count" aria-disabled={busy} onClick={busy ? undefined : count}>
        {busy ? 'Counting …' : 'Count'}
      </Button>
      {error !== undefined && (
        <p class="violation" role="alert">
          {sentenceOf(error)}
        </p>
      )}
    </>
  )
}

const SIZES = [10, 20, 50, 100]

interface PageSizeProps {
  /** Of the collection. */
  readonly name: string
  readonly pairs: readonly Pair[]
  readonly variables: readonly Variable[]
  readonly page: Pick<Page<object>, 'iri' | 'members' | 'next'>
  readonly onQuery: (query: string) => void
}

/** How many rows a page has, where the API lets one choose. */
export function PageSize({ name, pairs, variables, page, onQuery }: PageSizeProps) {
  const id = useId()
  const { sizes } = memoryOf(useApi().client)
  const variable = variables.find(({ role }) => role === 'limit')
  if (!variable) return null
  // The size that nobody asked for: as the API's own address of the page tells it, or a page that is full.
  const told = readQuery(queryOf(page.iri), variables).find(({ role }) => role === 'limit')?.value
  const asked = pairs.find(({ role }) => role === 'limit')?.value
  const usual = asked === undefined ? (told ?? (page.next && String(page.members.length))) : undefined
  if (usual !== undefined) sizes.set(name, usual)
  const standard = sizes.get(name)
  const isOdd = asked !== undefined && !SIZES.includes(Number(asked))
  return (
    <div class="table-size">
      <label for={id}>Rows</label>
      <select
        id={id}
        class="input"
        value={asked ?? ''}
        onChange={({ currentTarget }) =>
          onQuery(withValue(pairs, variable.name, currentTarget.value || undefined))
        }
      >
        <option value="">{standard ? `Default (${standard})` : 'Default'}</option>
        {isOdd && <option value={asked}>{asked}</option>}
        {SIZES.map((size) => (
          <option key={size} value={String(size)}>
            {size}
          </option>
        ))}
      </select>
    </div>
  )
}
