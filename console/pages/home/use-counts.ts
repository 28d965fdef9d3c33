import { useEffect, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { canList } from '../../shared/connection/collections.ts'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'
import { inTurns } from '../../shared/loading.ts'
import { rememberNames } from '../../shared/names/memory.ts'
import { ownName } from '../../shared/names/naming.ts'

/** How many members a collection has; undefined where the API does not say. Or why nobody knows. */
export type Count = { readonly total: number | undefined } | { readonly why: string }

const MOST_COUNTED = 20
const AT_ONCE = 3

/** Collections that are counted while one looks on; of a great many, the first. */
export const counted = (collections: readonly CollectionDescription[]): readonly CollectionDescription[] =>
  collections.filter(canList).slice(0, MOST_COUNTED)

export function useCounts(): ReadonlyMap<string, Count> {
  const { client, collections } = useApi()
  const [counts, setCounts] = useState<ReadonlyMap<string, Count>>(new Map())
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    inTurns(counted(collections), AT_ONCE, signal, async ({ name, memberClass }) => {
      const count = await client
        .collection(name)
        .page(undefined, { signal })
        .then(
          ({ totalItems, members }): Count => {
            // The first members come along with the count.
            rememberNames(
              client,
              members.map(({ iri, data }) => [iri, ownName(data, memberClass)]),
            )
            return { total: totalItems }
          },
          (error: unknown): Count => ({ why: sentenceOf(error) }),
        )
      if (!signal.aborted) setCounts((before) => new Map(before).set(name, count))
    })
    return () => controller.abort()
  }, [client, collections])
  return counts
}
