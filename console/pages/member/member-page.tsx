import { ApiError } from '../../../src/client/index.ts'
import { classNamed, collectionHolding, useApi } from '../../shared/connection/index.ts'
import { Failure, Page } from '../../shared/controls/index.ts'
import { addressBelow, hrefOf, titleOf } from '../../shared/names/index.ts'
import { useLoading } from '../../shared/state/index.ts'
import { MemberView } from './member-view.tsx'

/** One member: its properties, what it links to, and what links to it. */
export function MemberPage({ path }: { readonly path: string }) {
  const { client, base, collections } = useApi()
  const address = addressBelow(base, path)
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

function MissingMember({ path, error }: { readonly path: string; readonly error: unknown }) {
  const api = useApi()
  const address = addressBelow(api.base, path)
  const collection = collectionHolding(api.collections, address)
  const single = api.documentation.links.find(
    ({ isCollection, name }) => !isCollection && api.links[name] === address,
  )
  const cls = collection?.memberClass ?? classNamed(api, single?.range)
  const title = cls?.title ?? 'Member'
  if (single?.operations.some(({ method }) => method === 'PUT'))
    return (
      <Page title={title}>
        <p>It is not there yet.</p>
        <p>
          <a class="button primary" href={hrefOf({ page: 'edit', path })}>
            Create it
          </a>
        </p>
      </Page>
    )
  return (
    <Page title={`${title} not found`}>
      <Failure error={error} />
      <p>
        {collection ? (
          <a href={hrefOf({ page: 'table', name: collection.name, query: '' })}>
            Back to {titleOf(collection.name)}
          </a>
        ) : (
          <a href={hrefOf({ page: 'home' })}>Back to the overview</a>
        )}
      </p>
    </Page>
  )
}
