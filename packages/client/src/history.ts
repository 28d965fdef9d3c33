import type { Representation } from './api-types.ts'
import type { ApiError } from './errors.ts'
import type { asConflict, createMember, MemberClient, strong, takeMember } from './member.ts'
import type { Histories, HistoryOptions, MemberEntry, SeenMember } from './member-types.ts'
import type { AbortOptions, read } from './request.ts'
import type { addParameters } from './search-template.ts'
import type { JsonLdNode } from './terms.ts'

/** Passed instead of imported, as in batches. */
interface EntriesDependencies {
  readonly client: MemberClient
  readonly read: typeof read
  readonly addParameters: typeof addParameters
  readonly createMember: typeof createMember
  readonly takeMember: typeof takeMember
  readonly asConflict: typeof asConflict
  readonly strong: typeof strong
}

const IF_GONE = { 'if-none-match': '*' }

export function createHistories(dependencies: EntriesDependencies): Histories {
  const { client, read, addParameters, createMember, takeMember, asConflict, strong } = dependencies

  /** A class may have properties with the names of these terms, so they are found by their IRIs. */
  const ownTerm = (node: JsonLdNode, name: string) => node.one(`${client.base}/vocab#${name}`)

  /** Requests each page when it is needed. */
  async function* nodesAt(address: string | undefined, { itemsPerPage, ...options }: HistoryOptions) {
    let next = address && addParameters(address, { itemsPerPage })
    do {
      const page: JsonLdNode = await read(client.request, next ?? '', options)
      yield* page.all('member')
      next = page.one('view')?.one('next')?.id
    } while (next)
  }

  const readMember = async (iri: string, options?: AbortOptions) =>
    createMember(client, await read(client.request, iri, options))

  /** `headers`: the preconditions under which the member is still what the caller has seen. */
  const createEntry = (
    node: JsonLdNode,
    { iri, data }: Omit<SeenMember, 'history'>,
    headers: object,
  ): MemberEntry => {
    const link = (name: string) => node.one(name)?.id
    const { id = '' } = node
    return {
      iri: id,
      type: node.text('@type').toLowerCase() as MemberEntry['type'],
      published: new Date(node.text('published')),
      actor: link('actor'),
      changed: node.data.changed as MemberEntry['changed'],
      mayRestore: !!link('restore'),
      member: (options) => readMember(id, options),
      async restore(options) {
        const sent = { ...options, headers: headers as Record<string, string> }
        try {
          return await takeMember(client, await client.request('POST', link('restore') ?? '', sent), { iri })
        } catch (error) {
          const member = { data: data as Representation, reload: () => readMember(iri, options) }
          const failed = { attempted: undefined, options, statuses: [412] }
          throw await asConflict(member, error as ApiError, failed)
        }
      },
    }
  }

  return {
    /** A restore overwrites only what the caller has seen, so the member is read if its version is not known. */
    async *of(seen, options = {}) {
      let { etag, history } = seen
      if (!etag || !history)
        try {
          const node = await read(client.request, seen.iri, { signal: options.signal })
          history = ownTerm(node, 'history')?.id
          etag ??= node.headers?.get('etag') as string
        } catch (error) {
          history = (error as ApiError).history
          etag = undefined
          if (!history) throw error
        }
      const headers = etag ? { 'if-match': strong(etag) } : IF_GONE
      for await (const node of nodesAt(history, options)) yield createEntry(node, seen, headers)
    },

    async *deletedFrom(address, options = {}) {
      for await (const node of nodesAt(addParameters(address, { deleted: true }), options)) {
        const member = createMember(client, node)
        const deletion = ownTerm(node, 'deletion') ?? node
        yield { ...member, deletion: createEntry(deletion, member, IF_GONE) }
      }
    },
  }
}
