import { classNamed, useApi } from '../../shared/api.ts'
import { Failure } from '../../shared/controls/failure.tsx'
import { Page } from '../../shared/controls/page.tsx'
import { capitalised, inWords } from '../../shared/names/naming.ts'
import { hrefOf } from '../../shared/routes.ts'
import { addressOf, collectionHolding } from './resource.ts'

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
