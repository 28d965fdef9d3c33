import { useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../src/client/index.ts'
import { canList, sentenceOf, useApi } from '../../shared/connection/index.ts'
import { ownName } from '../../shared/names/index.ts'
import { forEachConcurrently, rememberNames, useAbortableEffect } from '../../shared/state/index.ts'

/** How many members a collection has, undefined where the API does not say; or why the count failed. */
export type Count = { readonly total: number | undefined } | { readonly why: string }

const MOST_COUNTED = 20

/** The collections whose members are counted: of a great many, the first. */
export const counted = (collections: readonly CollectionDescription[]): readonly CollectionDescription[] =>
  collections.filter(canList).slice(0, MOST_COUNTED)

export function useCounts(): ReadonlyMap<string, Count> {
  const { client, collections } = useApi()
  const [counts, setCounts] = useState<ReadonlyMap<string, Count>>(new Map())
  useAbortableEffect(
    (signal) => {
      const count = async ({ name, memberClass }: CollectionDescription): Promise<Count> => {
        const { totalItems, members } = await client.collection(name).page(undefined, { signal })
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
