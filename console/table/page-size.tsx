import { useId, useRef } from 'preact/hooks'
import type { Page } from '../../src/client/index.ts'
import { type Pair, queryOf, readQuery, withValue } from './query.ts'
import type { Variable } from './variables.ts'

const SIZES = [10, 20, 50, 100]

interface PageSizeProps {
  readonly pairs: readonly Pair[]
  readonly variables: readonly Variable[]
  readonly page: Pick<Page<object>, 'iri' | 'members' | 'next'>
  readonly onQuery: (query: string) => void
}

/** How many rows a page has, where the API lets one choose. */
export function PageSize({ pairs, variables, page, onQuery }: PageSizeProps) {
  const id = useId()
  const standard = useRef('')
  const variable = variables.find(({ role }) => role === 'limit')
  if (!variable) return null
  // The size that nobody asked for: as the API's own address of the page tells it, or a page that is full.
  const told = readQuery(queryOf(page.iri), variables).find(({ role }) => role === 'limit')?.value
  const asked = pairs.find(({ role }) => role === 'limit')?.value
  if (asked === undefined)
    standard.current = told ?? (page.next ? String(page.members.length) : standard.current)
  const current = asked ?? standard.current
  const isOdd = current !== '' && !SIZES.includes(Number(current))
  return (
    <div class="table-size">
      <label for={id}>Rows</label>
      <select
        id={id}
        class="input"
        value={current}
        onChange={({ currentTarget }) => onQuery(withValue(pairs, variable.name, currentTarget.value))}
      >
        {current === '' && <option value="">Default</option>}
        {isOdd && <option value={current}>{current}</option>}
        {SIZES.map((size) => (
          <option key={size} value={String(size)}>
            {size}
          </option>
        ))}
      </select>
    </div>
  )
}
