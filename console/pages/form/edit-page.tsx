import { ApiError, type ClassDescription, type Member } from '../../../src/client/index.ts'
import { type Api, useApi, useLoading } from '../../shared/api.ts'
import { Failure, Page } from '../../shared/controls/page.tsx'
import { classOf } from '../../shared/names/member-names.ts'
import { inWords, shortName } from '../../shared/names/naming.ts'
import { addressOf } from '../member/representation.ts'
import { FirstForm } from './create-page.tsx'
import { EditForm } from './edit-form.tsx'

/** A form for the properties of a member that exists; or of a single resource, which its first edit creates. */
export function EditPage({ path }: { readonly path: string }) {
  const api = useApi()
  const iri = addressOf(api.base, path)
  const loading = useLoading((signal) => api.client.get(iri, { signal }), [iri])
  const member = loading.value
  if (member) return <Editing api={api} path={path} member={member} />
  const single = isMissing(loading.error) ? singleClass(api, iri) : undefined
  if (single) return <FirstForm iri={iri} path={path} cls={single} />
  return (
    <Page title={`Edit ${shortName(path)}`}>
      {loading.error === undefined ? (
        <p class="hint" role="status">
          Reading …
        </p>
      ) : (
        <Failure error={loading.error} onRetry={loading.reload} />
      )}
    </Page>
  )
}

function Editing({
  api,
  path,
  member,
}: {
  readonly api: Api
  readonly path: string
  readonly member: Member
}) {
  const cls = classOf(api, member)
  if (cls) return <EditForm path={path} member={member} cls={cls} />
  return (
    <Page title={`Edit ${shortName(path)}`}>
      <p>The documentation does not say what {inWords(shortName(path))} may have.</p>
    </Page>
  )
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'not-found'

/** Of what is one resource below the entry point, and can be put there. */
function singleClass({ documentation, links }: Api, iri: string): ClassDescription | undefined {
  const link = documentation.links.find((one) => !one.isCollection && links[one.name] === iri)
  const canPut = link?.operations.some(({ method }) => method === 'PUT')
  return canPut ? documentation.classes.find((one) => one.iri === link?.range) : undefined
}
