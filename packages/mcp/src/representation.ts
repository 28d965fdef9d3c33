import { createHash } from 'node:crypto'
import type { AbortOptions, Client, CollectionPage, Member, OperationDescription } from 'hydrant-client'
import { type CutLimits, cut, IN_MEMBER, IN_PAGE } from './cut.ts'
import { actionsIn } from './rights.ts'

/** Plain JSON, as the result of a tool. */
export type PlainResult = Readonly<Record<string, unknown>>

interface MemberResult extends PlainResult {
  readonly may: readonly string[]
}

/** The member for an agent: plain JSON, its version, and what can be done with it. */
export async function representMember(
  client: Client,
  member: Member,
  options?: AbortOptions,
): Promise<MemberResult> {
  return {
    address: member.iri,
    etag: versionOf(member),
    member: shorten(member, IN_MEMBER),
    may: await offersOf(client, member, options),
  }
}

export const representPage = ({
  totalItems,
  next,
  members,
}: CollectionPage<Member['data']>): PlainResult => ({
  ...(totalItems !== undefined && { total: totalItems }),
  members: members.map((member) => shorten(member, IN_PAGE)),
  ...(next !== undefined && { next }),
})

/** Whether it is a collection, which the entry point need not name: the members that link to another, or summaries. */
export const isPage = ({ types }: Member): boolean =>
  types.some((type) => /#(?:Collection|PartialCollectionView)$/.test(type))

/** Servers without ETags get a version from what they serve, so that a change cannot go unseen there either. */
export const versionOf = ({ etag, data }: Pick<Member, 'etag' | 'data'>): string =>
  etag ?? `"content-${createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 32)}"`

/** A member as it is now, beside an error. */
export const currentOf = (member: Member): PlainResult => ({
  current: shorten(member, IN_MEMBER),
  etag: versionOf(member),
})

const shorten = (member: Member, limits: CutLimits): unknown =>
  cut(plain(member.data), { address: member.iri, pointer: '', from: 0 }, limits)

/** Without contexts, which say nothing to a model, and without operations, which `may` names. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key === '@context' || isOperationList(key, one) ? [] : [[key, plain(one)]],
    ),
  )
}

const isOperationList = (key: string, value: unknown): boolean =>
  /(?:^|[:#])operation$/.test(key) &&
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => Object.keys(one ?? {}).some((name) => /(?:^|[:#])method$/.test(name)))

/** The operations that this user may carry out on the member, by the names that `perform` takes. */
export async function offersOf(client: Client, member: Member, options?: AbortOptions): Promise<string[]> {
  const operations: readonly OperationDescription[] = await member.operations(options)
  const { classes } = await client.documentation(options)
  const custom = classes
    .filter(({ iri }) => member.types.includes(iri))
    .flatMap(({ customOperations }) => customOperations.map(({ name }) => name))
    .filter((name) => Object.hasOwn(member.data, name))
  return [...actionsIn(operations), ...custom]
}
