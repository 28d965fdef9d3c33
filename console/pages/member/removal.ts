import type { ApiError, ClassDescription, CollectionDescription, Member } from 'hydrant-client'
import {
  type Api,
  collectionHolding,
  membersWord,
  memberWord,
  useApi,
} from '../../shared/connection/index.ts'
import { linkIn } from '../../shared/names.ts'
import { forEachConcurrently, useLoading } from '../../shared/state.ts'

/** What the removal of a member would do to others. */
export interface PreviewedRemoval {
  readonly deleted: readonly OtherMembers[]
  readonly changed: readonly OtherMembers[]
}

/** Members of one collection. */
export interface OtherMembers {
  /** `15 time entries` */
  readonly count: string
  readonly iris: readonly string[]
}

/** Only an API that removes other members too can say which; otherwise the value is undefined. */
export function useRemoval(member: Member, cls: ClassDescription | undefined) {
  const api = useApi()
  const address = removalAddress(member.iri, cls)
  const loading = useLoading(
    async (signal) => (address === undefined ? undefined : readRemoval(api, address, signal)),
    [address],
  )
  return { ...loading, isOffered: address !== undefined, busy: address !== undefined && loading.busy }
}

/** More would take too many requests. */
const MOST_LOOKED_AT = 50

/** The statuses of a removal that would be refused, or of a member that is gone. */
const REFUSED: readonly unknown[] = [403, 404, 409, 410]

/** The same for several members. One whose removal would be refused is left out: deleting it says why. */
export function useRemovals(members: readonly Member[], cls: ClassDescription | undefined) {
  const api = useApi()
  const addresses = members.flatMap(({ iri }) => removalAddress(iri, cls) ?? [])
  const isTooMuch = addresses.length > MOST_LOOKED_AT
  const looked = isTooMuch ? [] : addresses
  const { value, error, busy } = useLoading(
    async (signal) => readRemovals(api, { addresses: looked, members, signal }),
    [looked.join(' ')],
  )
  return { value, error, busy: looked.length > 0 && busy, isTooMuch, isOffered: addresses.length > 0 }
}

interface LookedAtRemovals {
  readonly addresses: readonly string[]
  readonly members: readonly Member[]
  readonly signal: AbortSignal
}

/** Throws if the API did not answer for one of them: what it would delete must not be missing unnoticed. */
export async function readRemovals(
  { client, collections }: Pick<Api, 'client' | 'collections'>,
  { addresses, members, signal }: LookedAtRemovals,
): Promise<PreviewedRemoval> {
  const deleted = new Set<string>()
  const changed = new Set<string>()
  await forEachConcurrently(addresses, { limit: 4, signal }, async (address) => {
    const found = await client.get(address, { signal }).catch((error: ApiError) => {
      if (!REFUSED.includes(error.status)) throw error
    })
    for (const iri of addressesIn(found?.data.deleted)) deleted.add(iri)
    for (const iri of addressesIn(found?.data.changed)) changed.add(iri)
  })
  for (const { iri } of members) deleted.delete(iri)
  const left = [...changed].filter((iri) => !deleted.has(iri) && !members.some((one) => one.iri === iri))
  return { deleted: groupsOf([...deleted], collections), changed: groupsOf(left, collections) }
}

/** `removal` is a URI template (RFC 6570 §3.2.3). */
export const removalAddress = (
  iri: string,
  cls: Pick<ClassDescription, 'removal'> | undefined,
): string | undefined =>
  cls?.removal.includes('{+member}') ? cls.removal.replace('{+member}', () => iri) : undefined

async function readRemoval(
  { client, collections }: Pick<Api, 'client' | 'collections'>,
  address: string,
  signal: AbortSignal,
): Promise<PreviewedRemoval> {
  const { deleted, changed } = (await client.get(address, { signal })).data
  return { deleted: groupsOf(deleted, collections), changed: groupsOf(changed, collections) }
}

const addressesIn = (value: unknown): readonly string[] =>
  [value].flat().flatMap((one) => linkIn(one, '') ?? [])

/** The members at these addresses, by collection, in the order of the navigation. */
export function groupsOf(
  addresses: unknown,
  collections: readonly CollectionDescription[],
  locale?: string,
): readonly OtherMembers[] {
  const iris = addressesIn(addresses)
  const groups = Map.groupBy(iris, (iri) => collectionHolding(collections, iri))
  return [...collections, undefined].flatMap((collection) => {
    const own = groups.get(collection)
    if (!own) return []
    const [one, several] = collection
      ? [memberWord(collection), membersWord(collection)]
      : ['other member', 'other members']
    return { count: `${own.length.toLocaleString(locale)} ${own.length === 1 ? one : several}`, iris: own }
  })
}
