import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import {
  canCreate,
  canList,
  collectionTitle,
  memberWord,
  routeTo,
  sentenceOf,
  singlesOf,
  useApi,
} from '../../shared/connection/index.ts'
import { Page, PageLink } from '../../shared/controls/index.ts'
import { namesOf } from '../../shared/labels.ts'
import { counted, hrefOf, type Route, titleOf } from '../../shared/names.ts'
import { type Loading, rememberNames, useLoadingEach } from '../../shared/state.ts'

export function HomePage() {
  const api = useApi()
  const { documentation, collections } = api
  const singles = singlesOf(api.base, api)
  const counts = useCounts()
  return (
    <Page title={documentation.title || 'API'}>
      <div class="lead">
        {documentation.description && <p>{documentation.description}</p>}
        <PageLink route={{ page: 'documentation', name: undefined }}>Read the documentation</PageLink>
      </div>
      <section class="stack" aria-labelledby="home-collections">
        <h2 id="home-collections">Collections</h2>
        {collections.length === 0 && <p>This API has no collections.</p>}
        <ul class="home-cards">
          {collections.map((collection) => (
            <Card
              key={collection.name}
              route={routeTo(collection)}
              title={collectionTitle(collection)}
              count={counts.find(({ name }) => name === collection.name)}
              description={collection.description || collection.memberClass?.description}
            >
              {canCreate(collection) && (
                <a class="home-new" href={hrefOf({ page: 'create', name: collection.name })}>
                  New {memberWord(collection)}
                </a>
              )}
            </Card>
          ))}
        </ul>
      </section>
      {singles.length > 0 && (
        <section class="stack" aria-labelledby="home-singles">
          <h2 id="home-singles">Single resources</h2>
          <ul class="home-cards">
            {singles.map(({ name, description, path }) => (
              <Card
                key={name}
                route={{ page: 'member', path }}
                title={titleOf(name)}
                description={description}
              />
            ))}
          </ul>
        </section>
      )}
    </Page>
  )
}

interface CardProps {
  readonly route: Route
  readonly title: string
  readonly description: string | undefined
  readonly count?: Loading<number | undefined> | undefined
  readonly children?: ComponentChildren
}

const Card = ({ route, title, description, count, children }: CardProps) => (
  <li class="card home-card">
    <h3>
      <a href={hrefOf(route)}>{title}</a>
    </h3>
    {count && <Members {...count} />}
    {description && <p class="home-about">{description}</p>}
    {children}
  </li>
)

function Members({ busy, error, value: total }: Loading<number | undefined>) {
  if (busy) return <p class="home-count home-waiting">Counting …</p>
  if (error !== undefined) {
    return (
      <p class="home-count" title={sentenceOf(error)}>
        Not counted
      </p>
    )
  }
  return total === undefined ? null : <p class="home-count">{counted(total, 'members')}</p>
}

const MOST_COUNTED = 20

/** The number of members of the first collections; undefined if the API does not say. */
function useCounts() {
  const { client, collections, documentation, memory } = useApi()
  const first = useMemo(() => collections.filter(canList).slice(0, MOST_COUNTED), [collections])
  return useLoadingEach(first, async ({ name, memberClass }, signal) => {
    const { totalItems, members } = await client.collection(name).page(undefined, { signal })
    memory.templates.set(name, memory.templates.get(name))
    // The response has the first members, too.
    rememberNames(memory, namesOf(members, memberClass, documentation.classes))
    return totalItems
  })
}
