import { ApiError } from '../../../src/client/index.ts'
import { useApi, useLoading } from '../../shared/api.ts'
import { Failure } from '../../shared/controls/failure.tsx'
import { Page } from '../../shared/controls/page.tsx'
import { MemberView } from './member-view.tsx'
import { MissingMember } from './missing-member.tsx'
import { addressOf, collectionHolding } from './resource.ts'

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
