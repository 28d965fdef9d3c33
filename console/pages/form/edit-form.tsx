import { useMemo, useState } from 'preact/hooks'
import { ApiError, type ClassDescription, ConflictError, type Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { announce } from '../../shared/controls/announcement.ts'
import { useLeaving } from '../../shared/controls/leaving.tsx'
import { Page } from '../../shared/controls/page.tsx'
import { nameOf } from '../../shared/names/naming.ts'
import { go, hrefOf } from '../../shared/routes.ts'
import { mergedDrafts } from './conflict/comparison.ts'
import { Comparison } from './conflict/comparison-view.tsx'
import { Gone } from './conflict/deleted-notice.tsx'
import { FixedValues } from './controls/read-only-values.tsx'
import { changesOf } from './drafts/changes.ts'
import { draftsOf, type PropertyDraft } from './drafts/draft.ts'
import { readForm } from './drafts/reading.ts'
import { FormView } from './form-view.tsx'
import { CreatingBetween } from './nested-create.tsx'
import { useForm } from './use-form.ts'

interface EditFormProps {
  readonly path: string
  readonly member: Member
  readonly cls: ClassDescription
}

/** What stands in the way of saving: somebody else has changed the member, or removed it. */
type Obstacle = { readonly current: Member } | 'gone' | undefined

/** Sends what was changed, over the member as it was found and over no other. */
export function EditForm({ path, member, cls }: EditFormProps) {
  const { documentation } = useApi()
  const initial = useMemo(() => draftsOf(cls, member.data, documentation), [member, cls, documentation])
  const form = useForm(initial, member.data)
  const { question, release } = useLeaving(form.dirty)
  /** What the changes are changes of. */
  const [base, setBase] = useState(member)
  const [obstacle, setObstacle] = useState<Obstacle>()
  const [conflicts, setConflicts] = useState(0)
  const [note, setNote] = useState('')
  const title = `Edit ${nameOf(member, cls)}`
  const place = { page: 'member', path } as const

  const leave = (sentence: string) => {
    release()
    announce(sentence)
    if (form.isShown()) go(place)
  }

  /** Only a conflict is not an error: there is something to decide. */
  const save = async (over: Member, changes: Readonly<Record<string, unknown>>) => {
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

  const submit = async (values: Readonly<Record<string, unknown>>) => {
    const changes = changesOf(form.drafts, base.data, values)
    const isChanged = Object.keys(changes).length > 0
    setNote(isChanged ? '' : 'Nothing was changed, so there is nothing to save.')
    form.setProblems(undefined)
    if (isChanged) await save(base, changes)
  }

  /** What was chosen is the form from here on: if the server refuses it, it is there to be corrected. */
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
          // What was chosen of one conflict says nothing of the next. Not every server has an ETag to tell them apart by.
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
      {obstacle === 'gone' && <Gone cls={cls} form={form} onCreated={release} />}
      <CreatingBetween>
        <FormView
          form={form}
          label={title}
          submitLabel="Save"
          cancel={hrefOf(place)}
          note={note}
          onSubmit={(unread) => form.submit(submit, unread)}
        >
          <FixedValues cls={cls} data={member.data} />
        </FormView>
      </CreatingBetween>
      {question}
    </Page>
  )
}
