import { useId } from 'preact/hooks'
import type { Page } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { memoryOf } from '../../shared/names/memory.ts'
import type { Variable } from '../../shared/search-variables.ts'
import { type Pair, queryOf, readQuery, withValue } from './query.ts'

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
