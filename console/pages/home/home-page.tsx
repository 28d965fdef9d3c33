import { useApi } from '../../shared/api.ts'
import { singlesOf } from '../../shared/connection/singles.ts'
import { Page } from '../../shared/controls/page.tsx'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { hrefOf } from '../../shared/routes.ts'
import { CollectionCard } from './collection-card.tsx'
import { counted, useCounts } from './use-counts.ts'

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
