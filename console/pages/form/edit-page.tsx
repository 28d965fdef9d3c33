import { ApiError, type ClassDescription } from '../../../src/client/index.ts'
import { type Api, classNamed, classOf, useApi } from '../../shared/connection/index.ts'
import { Failure, Page } from '../../shared/controls/index.ts'
import { addressBelow, inWords, shortName } from '../../shared/names/index.ts'
import { useLoading } from '../../shared/state/index.ts'
import { CreateSingle } from './create-page.tsx'
import { EditForm } from './edit-form.tsx'

/** A form for a member that exists; or for a single resource, which its first edit creates. */
export function EditPage({ path }: { readonly path: string }) {
  const api = useApi()
  const iri = addressBelow(api.base, path)
  const { value: member, error, reload } = useLoading((signal) => api.client.get(iri, { signal }), [iri])
  const cls = member && classOf(api, member)
  if (member && cls) return <EditForm path={path} member={member} cls={cls} />
  const isMissing = error instanceof ApiError && error.code === 'not-found'
  const single = isMissing ? singleClass(api, iri) : undefined
  if (single) return <CreateSingle iri={iri} path={path} cls={single} />
  return (
    <Page title={`Edit ${shortName(path)}`}>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {member && <p>The documentation does not say what {inWords(shortName(path))} may have.</p>}
      {error === undefined && !member && (
        <p class="hint" role="status">
          Reading …
        </p>
      )}
    </Page>
  )
}

function singleClass(api: Api, iri: string): ClassDescription | undefined {
  const link = api.documentation.links.find((one) => !one.isCollection && api.links[one.name] === iri)
  const canPut = link?.operations.some(({ method }) => method === 'PUT')
  return canPut ? classNamed(api, link?.range) : undefined
}
