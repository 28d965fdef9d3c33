import type { CollectionDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { canCreate, memberWord, singlesOf } from '../../shared/connection/collections.ts'
import { Page } from '../../shared/controls/page.tsx'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { hrefOf } from '../../shared/routes.ts'
import { type Count, counted, useCounts } from './use-counts.ts'

/** What this API is, and the collections of its entry point. */
export function HomePage() {
  const { documentation, collections } = useApi()
  const counts = useCounts()
  const beingCounted = counted(collections)
  return (
    <Page title={documentation.title || 'API'}>
      <div class="home-lead">
        {documentation.description && <p>{documentation.description}</p>}
        <p>
          <a href={hrefOf({ page: 'documentation', name: undefined })}>Read the documentation</a>
        </p>
      </div>
      <section class="home-section" aria-labelledby="home-collections">
        <h2 id="home-collections">Collections</h2>
        {collections.length === 0 && <p>The entry point of this API leads to no collection.</p>}
        <ul class="home-cards">
          {collections.map((collection) => (
            <CollectionCard
              key={collection.name}
              collection={collection}
              count={counts.get(collection.name)}
              isCounted={beingCounted.includes(collection)}
            />
          ))}
        </ul>
      </section>
      <Singles />
    </Page>
  )
}

/** What the entry point leads to beside collections: one resource each. */
function Singles() {
  const api = useApi()
  const singles = singlesOf(api.base, api)
  if (singles.length === 0) return null
  return (
    <section class="home-section" aria-labelledby="home-singles">
      <h2 id="home-singles">Single resources</h2>
      <ul class="home-cards">
        {singles.map(({ name, description, path }) => (
          <li key={name} class="card home-card">
            <h3>
              <a href={hrefOf({ page: 'member', path })}>{capitalised(inWords(name))}</a>
            </h3>
            {description && <p class="home-about">{description}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

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
