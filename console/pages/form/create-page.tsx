import type { ClassDescription, CollectionDescription, Member } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import {
  accountFormClass,
  canCreate,
  canList,
  canOpen,
  findName,
  isAccountClass,
  membersWord,
  memberWord,
  putSingle,
  useApi,
} from '../../shared/connection/index.ts'
import { NotOffered, Page } from '../../shared/controls/index.ts'
import {
  type CollectionRoute,
  classWords,
  hrefOf,
  inWords,
  pathBelow,
  type Route,
} from '../../shared/names.ts'
import type { ValuesByName } from '../../shared/values.ts'
import { NestedCreate } from './dialogs.tsx'
import type { NewLinks } from './drafts/draft.ts'
import { creationIn } from './drafts/dry-run.ts'
import { useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'
import { type MadeAccount, MadeParaphrase } from './made-paraphrase.tsx'

/** `query`: links that the new member begins with, such as `customer=…`. */
export function CreatePage({ name, query = '' }: Omit<CollectionRoute, 'page'>) {
  const api = useApi()
  const { collections, client, base } = api
  const collection = collections.find((one) => one.name === name)
  const described = collection?.memberClass
  const isAccount = isAccountClass(api, described)
  const cls = useMemo(
    () => (described && isAccount ? accountFormClass(described, 'new') : described),
    [described, isAccount],
  )
  const [made, setMade] = useState<MadeAccount>()
  if (made) return <MadeParaphrase {...made} />
  if (!collection || !cls || !canCreate(collection)) {
    return (
      <NotOffered title={`New in ${inWords(name)}`} name={name}>
        {reasonAgainst(name, collection)}
      </NotOffered>
    )
  }
  const table: Route = canList(collection) ? { page: 'table', name } : { page: 'home' }
  // Anybody can write a link to this page, so no address elsewhere is read for its name.
  const links = [...new URLSearchParams(query)].filter(([, iri]) => pathBelow(base, iri) !== undefined)
  // The form was opened from the member that is linked.
  const origin = pathBelow(base, links[0]?.[1] ?? '')
  return (
    <CreateForm
      title={`New ${memberWord(collection)}`}
      description={cls.description}
      cls={cls}
      creates={collection}
      links={links}
      cancel={origin === undefined ? table : { page: 'member', path: origin }}
      create={async (values) => {
        const member: Member = await client.collectionAt(collection.iri).create(values)
        const path = pathBelow(base, member.iri)
        // If the user may not read the member, the response has only its address.
        const isShown = path !== undefined && canOpen(api, cls) && Object.keys(member.data).length > 1
        const route: Route = isShown ? { page: 'member', path } : table
        const label = await findName(api, member)
        const { paraphrase, userId } = member.data
        if (!isAccount || paraphrase === undefined) return [label, route]
        return () => setMade({ name: label, userId, paraphrase, route })
      }}
    />
  )
}

function reasonAgainst(name: string, collection: CollectionDescription | undefined): string {
  if (!collection) return `The API has no collection “${name}”.`
  if (!canCreate(collection)) return `You may not add ${membersWord(collection)}.`
  return `The documentation does not describe ${inWords(name)}, so the console cannot show a form for them.`
}

/** The form for a single resource that does not exist yet. */
export function CreateSingle({ iri, path, cls }: { iri: string; path: string; cls: ClassDescription }) {
  const { client } = useApi()
  return (
    <CreateForm
      title={`Create ${classWords(cls)}`}
      description="It does not exist yet."
      cls={cls}
      cancel={{ page: 'home' }}
      create={async (values) => {
        await putSingle(client, iri, values)
        return [cls.title, { page: 'member', path }]
      }}
    />
  )
}

interface CreateFormProps {
  readonly title: string
  readonly description: string
  readonly cls: ClassDescription
  readonly creates?: CollectionDescription
  readonly links?: NewLinks
  readonly cancel: Route
  /** Returns the name and the page of the new member, or how to go on. */
  readonly create: (values: ValuesByName) => Promise<readonly [name: string, route: Route] | (() => void)>
}

function CreateForm({ title, description, cls, creates, links, cancel, create }: CreateFormProps) {
  const form = useForm(cls, { creates, links })
  const back = { href: hrefOf(cancel) }
  const save = async (values: ValuesByName) => {
    const created = await create(values)
    if (typeof created === 'function') {
      form.release()
      if (form.isMounted()) created()
    } else form.leave(`${created[0]} was created.`, created[1])
  }
  return (
    <Page title={title}>
      {description && <p class="lead">{description}</p>}
      <NestedCreate>
        <FormView
          form={form}
          label={title}
          submitLabel="Create"
          cancel={back}
          save={save}
          attempted={creates && creationIn(creates)}
        />
      </NestedCreate>
    </Page>
  )
}
