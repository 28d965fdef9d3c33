import { type ClassDescription, ConflictError, type Member } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import {
  accountAddress,
  accountFormClass,
  canChange,
  canPut,
  classNamed,
  classOf,
  findName,
  isAccountClass,
  isOfKind,
  type RemoteChange,
  singleAt,
  useApi,
  useMember,
} from '../../shared/connection/index.ts'
import {
  Failure,
  Page,
  PageLink,
  RemoteChangeNote,
  Status,
  useKnownNames,
} from '../../shared/controls/index.ts'
import { addressBelow, classWords, hrefOf, inWords, type Route, shortName } from '../../shared/names.ts'
import { useObservable } from '../../shared/state.ts'
import type { ValuesByName } from '../../shared/values.ts'
import { Comparison, DeletedNotice } from './comparison-view.tsx'
import { CreateSingle } from './create-page.tsx'
import { NestedCreate } from './dialogs.tsx'
import { changesOf } from './drafts/changes.ts'
import type { PropertyDraft } from './drafts/draft.ts'
import type { AttemptedWrite } from './drafts/dry-run.ts'
import { readForm } from './drafts/reading.ts'
import { type FormState, useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'

/** The form for an existing member, or for a single resource that does not exist yet. */
export function EditPage({ path }: { path: string }) {
  const api = useApi()
  const iri = addressBelow(api.base, path)
  // The page is not reloaded by itself, since that would lose what was typed.
  const { value, error, remoteChange, reload } = useMember(iri, { isReloaded: false })
  const known = useKnownNames().get(iri)
  const { member, name = known ?? shortName(path), operations = [] } = value ?? {}
  const signedIn = useObservable(api.signedIn)
  const described = member && classOf(api, member)
  const cls = useMemo(() => {
    if (!described || !isAccountClass(api, described)) return described
    const isOwn = signedIn && accountAddress(api.base, signedIn.user) === iri
    return accountFormClass(described, isOwn ? 'own' : 'other')
  }, [described, signedIn?.user])
  if (member && cls && canChange(operations))
    return (
      <EditForm
        key={member.etag}
        path={path}
        member={member}
        name={name}
        cls={cls}
        remoteChange={remoteChange}
        onReload={reload}
      />
    )
  const single = isOfKind(error, 'not-found') ? singleAt(api, iri) : undefined
  const singleClass = canPut(single) ? classNamed(api, single?.range) : undefined
  if (singleClass) return <CreateSingle iri={iri} path={path} cls={singleClass} />
  return (
    <Page title={`Edit ${name}`}>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && !member && <Status>Loading …</Status>}
      {member && !cls && <p>The documentation does not describe {inWords(shortName(path))}.</p>}
      {cls && <p>You may not change this {classWords(cls)}.</p>}
      {cls && <PageLink route={{ page: 'member', path }}>View this {classWords(cls)}</PageLink>}
    </Page>
  )
}

interface EditFormProps {
  readonly path: string
  readonly member: Member
  readonly name: string
  readonly cls: ClassDescription
  readonly remoteChange: RemoteChange | undefined
  readonly onReload: () => void
}

/** Sends only what was changed, and only if the member is still the version that was read. */
function EditForm({ path, member, name, cls, remoteChange, onReload }: EditFormProps) {
  const form = useForm(cls, { former: member.data })
  const title = `Edit ${name}`
  const page = { page: 'member', path } as const
  const { base, conflict, note, save, attempted, resolve, reopen } = useSaving(form, member, page)

  const current = conflict?.current
  if (current)
    return (
      <Page title={title}>
        <Comparison
          // Choices of one conflict do not apply to the next. Not every server has an ETag to tell them apart.
          key={current}
          form={form}
          iri={member.iri}
          seen={base.data}
          current={current.data}
          onBack={reopen}
          onChosen={(drafts) => resolve(current, drafts)}
        />
      </Page>
    )
  return (
    <Page title={title}>
      {conflict && <DeletedNotice cls={cls} form={form} iri={member.iri} />}
      <NestedCreate>
        <FormView
          form={form}
          label={title}
          submitLabel="Save"
          cancel={{ href: hrefOf(page) }}
          save={save}
          attempted={attempted}
          note={
            <>
              <Status>{note}</Status>
              {!conflict && <RemoteChangeNote change={remoteChange} {...(!form.dirty && { onReload })} />}
            </>
          }
        />
      </NestedCreate>
    </Page>
  )
}

/** Saves the changes of a form, and holds the conflict if someone else was faster. */
function useSaving(form: FormState, member: Member, page: Route) {
  const api = useApi()
  const { documentation } = api
  /** The version that the changes are made to. */
  const [base, setBase] = useState(member)
  // Without `current` the member was deleted.
  const [conflict, setConflict] = useState<{ readonly current: Member | undefined }>()
  const [note, setNote] = useState('')

  /** A conflict is not an error: the user decides. */
  const update = async (over: Member, changes: ValuesByName) => {
    try {
      form.leave(`${await findName(api, await over.update(changes))} was saved.`, page)
    } catch (error) {
      if (error instanceof ConflictError) return setConflict({ current: error.current as Member | undefined })
      if (isOfKind(error, 'not-found')) return setConflict({ current: undefined })
      // What the server refuses after a conflict is corrected in the form.
      setConflict((before) => (before?.current ? undefined : before))
      throw error
    }
  }

  const save = async (values: ValuesByName) => {
    const changes = changesOf(form.drafts, base.data, values, documentation)
    const isChanged = Object.keys(changes).length > 0
    setNote(isChanged ? '' : 'Nothing was changed, so there is nothing to save.')
    form.setProblems(undefined)
    if (isChanged) await update(base, changes)
  }

  /** The chosen values become those of the form. */
  const resolve = (current: Member, drafts: readonly PropertyDraft[]) => {
    const { values } = readForm(drafts, current.data)
    const changes = changesOf(drafts, current.data, values, documentation)
    if (Object.keys(changes).length === 0)
      return form.leave('You kept the current values, so there was nothing to save.', page)
    form.setDrafts(drafts)
    setBase(current)
    return form.attempt(() => update(current, changes), drafts)
  }

  const attempted = (values: ValuesByName): AttemptedWrite => ({
    method: 'PATCH',
    target: base.iri,
    ifMatch: base.etag,
    body: changesOf(form.drafts, base.data, values, documentation),
  })

  return { base, conflict, note, save, attempted, resolve, reopen: () => setConflict(undefined) }
}
