import { useMemo, useState } from 'preact/hooks'
import { ApiError, type ClassDescription, ConflictError, type Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/connection/index.ts'
import { announce, Page, useLeaving } from '../../shared/controls/index.ts'
import { go, hrefOf, nameOf } from '../../shared/names/index.ts'
import type { Values } from '../../shared/values/index.ts'
import { mergedDrafts } from './conflict/comparison.ts'
import { Comparison } from './conflict/comparison-view.tsx'
import { DeletedNotice } from './conflict/deleted-notice.tsx'
import { ReadOnlyValues } from './controls/read-only-values.tsx'
import { changesOf } from './drafts/changes.ts'
import { draftsOf, type PropertyDraft } from './drafts/draft.ts'
import { readForm } from './drafts/reading.ts'
import { useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'
import { NestedCreate } from './nested-create.tsx'

interface EditFormProps {
  readonly path: string
  readonly member: Member
  readonly cls: ClassDescription
}

/** What prevents saving: the member was changed or deleted meanwhile. */
type Obstacle = { readonly current: Member } | 'gone' | undefined

/** Sends what was changed, over the version that was read and no other. */
export function EditForm({ path, member, cls }: EditFormProps) {
  const { documentation } = useApi()
  const initial = useMemo(() => draftsOf(cls, member.data, documentation), [member, cls, documentation])
  const form = useForm(initial, member.data)
  const { question, release } = useLeaving(form.dirty)
  const [base, setBase] = useState(member)
  const [obstacle, setObstacle] = useState<Obstacle>()
  const [conflicts, setConflicts] = useState(0)
  const [note, setNote] = useState('')
  const title = `Edit ${nameOf(member, cls)}`
  const memberPage = { page: 'member', path } as const

  const leave = (sentence: string) => {
    release()
    announce(sentence)
    if (form.isMounted()) go(memberPage)
  }

  /** A conflict is not an error: there is something to decide. */
  const save = async (over: Member, changes: Values) => {
    try {
      leave(`${nameOf(await over.update(changes), cls)} was saved.`)
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'not-found'
      if (!(error instanceof ConflictError) && !isGone) throw error
      form.setProblems(undefined)
      setBase(over)
      const current = error instanceof ConflictError ? (error.current as Member | undefined) : undefined
      setObstacle(current ? { current } : 'gone')
      setConflicts((count) => count + 1)
    }
  }

  const submit = async (values: Values) => {
    const changes = changesOf(form.drafts, base.data, values)
    const isChanged = Object.keys(changes).length > 0
    setNote(isChanged ? '' : 'Nothing was changed, so there is nothing to save.')
    form.setProblems(undefined)
    if (isChanged) await save(base, changes)
  }

  /** The chosen values become the form: if the server refuses them, they can be corrected there. */
  const resolve = (current: Member, drafts: readonly PropertyDraft[]) => {
    const { values } = readForm(drafts, current.data)
    const changes = changesOf(drafts, current.data, values)
    if (Object.keys(changes).length === 0) return leave('Nothing of yours was left to save.')
    form.setDrafts(drafts)
    setBase(current)
    return form.attempt(async () => {
      try {
        await save(current, changes)
      } catch (error) {
        setObstacle(undefined)
        throw error
      }
    }, drafts)
  }

  if (typeof obstacle === 'object') {
    const { current } = obstacle
    return (
      <Page title={title}>
        <Comparison
          // Choices of one conflict do not apply to the next. Not every server has an ETag to tell them apart.
          key={conflicts}
          drafts={form.drafts}
          seen={base.data}
          current={current.data}
          mine={readForm(form.drafts, base.data).values}
          busy={form.busy}
          onBack={() => setObstacle(undefined)}
          onChosen={(isMine) =>
            resolve(current, mergedDrafts(form.drafts, current.data, isMine, documentation))
          }
        />
        {question}
      </Page>
    )
  }
  return (
    <Page title={title}>
      {obstacle === 'gone' && <DeletedNotice cls={cls} form={form} onCreated={release} />}
      <NestedCreate>
        <FormView
          form={form}
          label={title}
          submitLabel="Save"
          cancel={hrefOf(memberPage)}
          note={note}
          onSubmit={(unread) => form.submit(submit, unread)}
        >
          <ReadOnlyValues cls={cls} data={member.data} />
        </FormView>
      </NestedCreate>
      {question}
    </Page>
  )
}
