import { ApiError } from '../../../src/client/index.ts'
import { classNamed, useApi, useLoading } from '../../shared/api.ts'
import { Failure, Page } from '../../shared/controls/page.tsx'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { hrefOf } from '../../shared/routes.ts'
import { MemberView } from './member-view.tsx'
import { addressOf, collectionHolding } from './representation.ts'

/** One member: its properties, what it links to, and what links to it. */
export function MemberPage({ path }: { readonly path: string }) {
  const { client, base, collections } = useApi()
  const address = addressOf(base, path)
  const { value, error, busy, reload } = useLoading(
    async (signal) => {
      const member = await client.get(address, { signal })
      return { member, operations: await member.operations({ signal }) }
    },
    [address],
  )
  if (value) return <MemberView {...value} path={path} onLookAgain={reload} />
  if (error instanceof ApiError && error.code === 'not-found')
    return <MissingMember path={path} error={error} />
  return (
    // Its name is not known yet.
    <Page title={collectionHolding(collections, address)?.memberClass?.title ?? 'Member'}>
      {busy ? (
        <p class="hint" role="status">
          Reading {address} …
        </p>
      ) : (
        <Failure error={error} onRetry={reload} />
      )}
    </Page>
  )
}

interface MissingMemberProps {
  readonly path: string
  readonly error: unknown
}

/** There is nothing at this address: why, and where to go from here. */
export function MissingMember({ path, error }: MissingMemberProps) {
  const api = useApi()
  const address = addressOf(api.base, path)
  const collection = collectionHolding(api.collections, address)
  const single = api.documentation.links.find(
    ({ isCollection, name }) => !isCollection && api.links[name] === address,
  )
  const cls = collection?.memberClass ?? classNamed(api, single?.range)
  const kind = cls?.title ?? 'Member'
  if (single?.operations.some(({ method }) => method === 'PUT'))
    return (
      <Page title={kind}>
        <p>It is not there yet.</p>
        <p>
          <a class="button primary" href={hrefOf({ page: 'edit', path })}>
            Create it
          </a>
        </p>
      </Page>
    )
  return (
    <Page title={`${kind} not found`}>
      <Failure error={error} />
      <p>
        {collection ? (
          <a href={hrefOf({ page: 'table', name: collection.name, query: '' })}>
            Back to {capitalised(inWords(collection.name))}
          </a>
        ) : (
          <a href={hrefOf({ page: 'home' })}>Back to the overview</a>
        )}
      </p>
    </Page>
  )
}
