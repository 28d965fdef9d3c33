import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../src/client/index.ts'
import {
  canCreate,
  canList,
  memberWord,
  routeTo,
  sentenceOf,
  singlesOf,
  useApi,
} from '../../shared/connection/index.ts'
import { Page } from '../../shared/controls/index.ts'
import { hrefOf, ownName, type Route, titleOf } from '../../shared/names.ts'
import { forEachConcurrently, memoryOf, rememberNames, useAbortableEffect } from '../../shared/state.ts'

export function HomePage() {
  const api = useApi()
  const { documentation, collections } = api
  const singles = singlesOf(api.base, api)
  const counts = useCounts()
  const beingCounted = counted(collections)
  return (
    <Page title={documentation.title || 'API'}>
      <div class="lead">
        {documentation.description && <p>{documentation.description}</p>}
        <p>
          <a href={hrefOf({ page: 'documentation', name: undefined })}>Read the documentation</a>
        </p>
      </div>
      <section class="stack" aria-labelledby="home-collections">
        <h2 id="home-collections">Collections</h2>
        {collections.length === 0 && <p>The entry point of this API leads to no collection.</p>}
        <ul class="home-cards">
          {collections.map((collection) => (
            <Card
              key={collection.name}
              route={routeTo(collection)}
              name={collection.name}
              count={beingCounted.includes(collection) && <Members count={counts.get(collection.name)} />}
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
              <Card key={name} route={{ page: 'member', path }} name={name} description={description} />
            ))}
          </ul>
        </section>
      )}
    </Page>
  )
}

interface CardProps {
  readonly route: Route
  readonly name: string
  readonly description: string | undefined
  readonly count?: ComponentChildren
  readonly children?: ComponentChildren
}

const Card = ({ route, name, description, count, children }: CardProps) => (
  <li class="card home-card">
    <h3>
      <a href={hrefOf(route)}>{titleOf(name)}</a>
    </h3>
    {count}
    {description && <p class="home-about">{description}</p>}
    {children}
  </li>
)

function Members({ count }: { count: Count | undefined }) {
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

/** How many members a collection has, undefined where the API does not say; or why the count failed. */
type Count = { readonly total: number | undefined } | { readonly why: string }

const MOST_COUNTED = 20

/** The collections whose members are counted: of a great many, the first. */
const counted = (collections: readonly CollectionDescription[]): readonly CollectionDescription[] =>
  collections.filter(canList).slice(0, MOST_COUNTED)

function useCounts(): ReadonlyMap<string, Count> {
  const { client, collections } = useApi()
  const [counts, setCounts] = useState<ReadonlyMap<string, Count>>(new Map())
  useAbortableEffect(
    (signal) => {
      const count = async ({ name, memberClass }: CollectionDescription): Promise<Count> => {
        const { totalItems, members } = await client.collection(name).page(undefined, { signal })
        const { templates } = memoryOf(client)
        templates.set(name, templates.get(name))
        // The first members come along with the count.
        rememberNames(
          client,
          members.map(({ iri, data }) => [iri, ownName(data, memberClass)]),
        )
        return { total: totalItems }
      }
      forEachConcurrently(counted(collections), { limit: 3, signal }, async (collection) => {
        const found = await count(collection).catch((error: unknown) => ({ why: sentenceOf(error) }))
        if (!signal.aborted) setCounts((before) => new Map(before).set(collection.name, found))
      })
    },
    [client, collections],
  )
  return counts
}
