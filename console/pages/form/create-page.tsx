import { useMemo } from 'preact/hooks'
import type { ClassDescription, CollectionDescription, Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { canCreate, memberWord } from '../../shared/connection/collections.ts'
import { announce } from '../../shared/controls/announcement.ts'
import { useLeaving } from '../../shared/controls/leaving.tsx'
import { Page } from '../../shared/controls/page.tsx'
import { inWords, nameOf } from '../../shared/names/naming.ts'
import { go, hrefOf, pathBelow } from '../../shared/routes.ts'
import { draftsOf } from './drafts/draft.ts'
import { LookForIt } from './duplicate-check.tsx'
import { FormView } from './form-view.tsx'
import { CreatingBetween } from './nested-create.tsx'
import { useForm } from './use-form.ts'

/** A form for a new member of a collection. */
export function CreatePage({ name }: { readonly name: string }) {
  const { collections } = useApi()
  const collection = collections.find((one) => one.name === name)
  const cls = collection?.memberClass
  if (collection && cls && canCreate(collection)) return <CreateForm collection={collection} cls={cls} />
  return (
    <Page title={`New in ${inWords(name)}`}>
      <p>{reasonAgainst(name, collection)}</p>
    </Page>
  )
}

function reasonAgainst(name: string, collection: CollectionDescription | undefined): string {
  if (!collection) return `The API has no collection "${name}".`
  if (!canCreate(collection)) return `The API offers no way to add to ${name}.`
  return `The documentation does not say what a member of ${name} may have.`
}

interface CreateFormProps {
  readonly collection: CollectionDescription
  readonly cls: ClassDescription
}

function CreateForm({ collection, cls }: CreateFormProps) {
  const { client, documentation, base } = useApi()
  const initial = useMemo(() => draftsOf(cls, undefined, documentation), [cls, documentation])
  const form = useForm(initial)
  const { question, release } = useLeaving(form.dirty)
  const title = `New ${memberWord(collection)}`
  const table = { page: 'table', name: collection.name, query: '' } as const

  const show = (member: Member) => {
    release()
    announce(`${nameOf(member, cls)} was created.`)
    const path = pathBelow(base, member.iri)
    if (form.isShown()) go(path === undefined ? table : { page: 'member', path })
  }
  const create = async (values: Readonly<Record<string, unknown>>) =>
    show(await client.collectionAt(collection.iri).create(values))

  return (
    <Page title={title}>
      {cls.description && <p class="form-description">{cls.description}</p>}
      <CreatingBetween>
        <FormView
          form={form}
          label={title}
          submitLabel="Create"
          cancel={hrefOf(table)}
          onSubmit={(unread) => form.submit(create, unread)}
          remedy={form.problems?.uncertain && <LookForIt collection={collection} drafts={form.drafts} />}
        />
      </CreatingBetween>
      {question}
    </Page>
  )
}

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
