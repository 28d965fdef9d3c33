import { type ClassDescription, ConflictError, type Member } from 'hydrant-client'
import { useState } from 'preact/hooks'
import {
  canChange,
  canPut,
  classNamed,
  classOf,
  isOfKind,
  singleAt,
  useApi,
  useMember,
} from '../../shared/connection/index.ts'
import { Failure, OtherNote, Page, Status, WayTo } from '../../shared/controls/index.ts'
import { addressBelow, classWords, hrefOf, inWords, nameOf, shortName } from '../../shared/names.ts'
import type { Values } from '../../shared/values.ts'
import { Comparison, DeletedNotice } from './comparison-view.tsx'
import { CreateSingle } from './create-page.tsx'
import { NestedCreate } from './dialogs.tsx'
import { changesOf } from './drafts/changes.ts'
import type { PropertyDraft } from './drafts/draft.ts'
import { readForm } from './drafts/reading.ts'
import { useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'

/** A form for a member that exists; or for a single resource, which its first edit creates. */
export function EditPage({ path }: { path: string }) {
  const api = useApi()
  const iri = addressBelow(api.base, path)
  // What was typed is not lost: the user is told, and decides.
  const { value, error, other, reload } = useMember(iri, { isReloaded: false })
  const { member, operations = [] } = value ?? {}
  const cls = member && classOf(api, member)
  if (member && cls && canChange(operations))
    return (
      <EditForm key={member.etag} path={path} member={member} cls={cls} other={other} onReload={reload} />
    )
  const single = isOfKind(error, 'not-found') ? singleAt(api, iri) : undefined
  const singleClass = canPut(single) ? classNamed(api, single?.range) : undefined
  if (singleClass) return <CreateSingle iri={iri} path={path} cls={singleClass} />
  return (
    <Page title={`Edit ${member ? nameOf(member, cls) : shortName(path)}`}>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && !member && <Status>Reading …</Status>}
      {member && !cls && <p>The documentation does not say what {inWords(shortName(path))} may have.</p>}
      {cls && <p>The API does not offer you to change this {classWords(cls)}.</p>}
      {cls && <WayTo route={{ page: 'member', path }}>Look at it</WayTo>}
    </Page>
  )
}

interface EditFormProps {
  readonly path: string
  readonly member: Member
  readonly cls: ClassDescription
  /** What others have done to it meanwhile. */
  readonly other: string | undefined
  readonly onReload: () => void
}

/** Sends what was changed, over the version that was read and no other. */
function EditForm({ path, member, cls, other, onReload }: EditFormProps) {
  const { documentation } = useApi()
  const form = useForm(cls, { former: member.data })
  const [base, setBase] = useState(member)
  // Without `current` the member is gone.
  const [conflict, setConflict] = useState<{ readonly current: Member | undefined }>()
  const [note, setNote] = useState('')
  const title = `Edit ${nameOf(member, cls)}`
  const memberPage = { page: 'member', path } as const

  /** A conflict is not an error: there is something to decide. */
  const save = async (over: Member, changes: Values) => {
    try {
      form.leave(`${nameOf(await over.update(changes), cls)} was saved.`, memberPage)
    } catch (error) {
      if (error instanceof ConflictError) return setConflict({ current: error.current as Member | undefined })
      if (isOfKind(error, 'not-found')) return setConflict({ current: undefined })
      // What the server refuses after a conflict is corrected in the form.
      setConflict((before) => (before?.current ? undefined : before))
      throw error
    }
  }

  const submit = async (values: Values) => {
    const changes = changesOf(form.drafts, base.data, values, documentation)
    const isChanged = Object.keys(changes).length > 0
    setNote(isChanged ? '' : 'Nothing was changed, so there is nothing to save.')
    form.setProblems(undefined)
    if (isChanged) await save(base, changes)
  }

  /** The chosen values become the form. */
  const resolve = (current: Member, drafts: readonly PropertyDraft[]) => {
    const { values } = readForm(drafts, current.data)
    const changes = changesOf(drafts, current.data, values, documentation)
    if (Object.keys(changes).length === 0) return form.leave('Nothing of yours was left to save.', memberPage)
    form.setDrafts(drafts)
    setBase(current)
    return form.attempt(() => save(current, changes), drafts)
  }

  const current = conflict?.current
  if (current)
    return (
      <Page title={title}>
        <Comparison
          // Choices of one conflict do not apply to the next. Not every server has an ETag to tell them apart.
          key={current}
          form={form}
          seen={base.data}
          current={current.data}
          onBack={() => setConflict(undefined)}
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
          cancel={{ href: hrefOf(memberPage) }}
          save={submit}
          note={
            <>
              <Status>{note}</Status>
              {!conflict && <OtherNote other={other} {...(!form.dirty && { onReload })} />}
            </>
          }
        />
      </NestedCreate>
    </Page>
  )
}
