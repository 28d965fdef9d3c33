import { useMemo } from 'preact/hooks'
import type { ClassDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { announce } from '../../shared/controls/announcement.ts'
import { useLeaving } from '../../shared/controls/leaving.tsx'
import { Page } from '../../shared/controls/page.tsx'
import { inWords } from '../../shared/names/naming.ts'
import { go, hrefOf } from '../../shared/routes.ts'
import { CreatingBetween } from './creating-between.tsx'
import { draftsOf } from './drafts/draft.ts'
import { FormView } from './form-view.tsx'
import { useForm } from './use-form.ts'

interface FirstFormProps {
  readonly iri: string
  readonly path: string
  readonly cls: ClassDescription
}

/** A single resource that is not there yet: it is put where its link leads. */
export function FirstForm({ iri, path, cls }: FirstFormProps) {
  const { client, documentation } = useApi()
  const initial = useMemo(() => draftsOf(cls, undefined, documentation), [cls, documentation])
  const form = useForm(initial)
  const { question, release } = useLeaving(form.dirty)
  const title = `Create ${inWords(cls.title)}`

  const create = async (values: Readonly<Record<string, unknown>>) => {
    // RFC 9110 §13.1.2: not over what somebody else has put there meanwhile.
    await client.request('PUT', iri, { body: values, headers: { 'If-None-Match': '*' } })
    release()
    announce(`${cls.title} was created.`)
    if (form.isShown()) go({ page: 'member', path })
  }
  return (
    <Page title={title}>
      <p class="form-description">There is none yet.</p>
      <CreatingBetween>
        <FormView
          form={form}
          label={title}
          submitLabel="Create"
          cancel={hrefOf({ page: 'home' })}
          onSubmit={(unread) => form.submit(create, unread)}
        />
      </CreatingBetween>
      {question}
    </Page>
  )
}
