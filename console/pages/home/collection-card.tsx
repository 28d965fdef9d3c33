import type { CollectionDescription } from '../../../src/client/index.ts'
import { canCreate, memberWord } from '../../shared/connection/collections.ts'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { hrefOf } from '../../shared/routes.ts'
import type { Count } from './use-counts.ts'

interface CollectionCardProps {
  readonly collection: CollectionDescription
  readonly count: Count | undefined
  /** Whether its members are being counted, or will be. */
  readonly isCounted: boolean
}

/** A collection: what it has, how much of it, and the ways in. */
export function CollectionCard({ collection, count, isCounted }: CollectionCardProps) {
  const { name, memberClass } = collection
  const description = collection.description || memberClass?.description
  return (
    <li class="card home-card">
      <h3>
        <a href={hrefOf({ page: 'table', name, query: '' })}>{capitalised(inWords(name))}</a>
      </h3>
      {isCounted && <Members count={count} />}
      {description && <p class="home-about">{description}</p>}
      {canCreate(collection) && (
        <a class="home-new" href={hrefOf({ page: 'create', name })}>
          New {memberWord(collection)}
        </a>
      )}
    </li>
  )
}

function Members({ count }: { readonly count: Count | undefined }) {
  if (!count) return <p class="home-count home-waiting">Counting …</p>
  if ('why' in count) {
    return (
      <p class="home-count" title={count.why}>
        Not counted
      </p>
    )
  }
  if (count.total === undefined) return null
  return (
    <p class="home-count">
      {count.total.toLocaleString()} {count.total === 1 ? 'member' : 'members'}
    </p>
  )
}
