import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { memberWord } from '../../shared/connection/collections.ts'
import { useModal } from '../../shared/controls/modal.ts'
import { holdUnsaved } from '../../shared/controls/unsaved.ts'
import { nameOf, namingProperty } from '../../shared/names/naming.ts'
import { focusPlace } from './controls/focus.ts'
import { draftsOf, type PropertyDraft } from './drafts/draft.ts'
import { placeIn } from './drafts/field-ids.ts'
import { LookForIt } from './duplicate-check.tsx'
import { FormView } from './form-view.tsx'
import { CreatingContext, type Wanted } from './picker/link-picker.tsx'
import { useForm } from './use-form.ts'

/** Whatever links to something that is not there yet can have it made without leaving the form. */
export function CreatingBetween({ children }: { readonly children: ComponentChildren }) {
  const [wanted, setWanted] = useState<Wanted>()
  const [said, setSaid] = useState('')
  const end = (member: Member | undefined) => {
    setWanted(undefined)
    setSaid(member ? `${nameOf(member, wanted?.collection.memberClass)} was created, and is chosen.` : '')
    // After the dialog has given the focus back.
    requestAnimationFrame(() => wanted?.done(member))
  }
  return (
    <CreatingContext.Provider value={setWanted}>
      {children}
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {/* Not within the other form: HTML knows no form within a form. */}
      {wanted?.collection.memberClass && (
        <NewMemberDialog wanted={wanted} cls={wanted.collection.memberClass} onEnd={end} />
      )}
    </CreatingContext.Provider>
  )
}

interface NewMemberDialogProps {
  readonly wanted: Wanted
  readonly cls: ClassDescription
  readonly onEnd: (member: Member | undefined) => void
}

/** What the ids of its fields begin with: the form below has ids of its own. */
const ROOT = 'new'

/** The form of a new member over another form, which waits for it. */
export function NewMemberDialog({ wanted: { collection, name }, cls, onEnd }: NewMemberDialogProps) {
  const { client, documentation } = useApi()
  const dialog = useModal()
  const initial = useMemo(() => named(draftsOf(cls, undefined, documentation), cls, name), [])
  const form = useForm(initial)
  useEffect(() => focusPlace(placeIn(ROOT, 0)), [])
  useEffect(() => (form.dirty ? holdUnsaved() : undefined), [form.dirty])
  const title = `New ${memberWord(collection)}`
  const create = async (values: Readonly<Record<string, unknown>>) => {
    const member = await client.collectionAt(collection.iri).create(values)
    if (form.isShown()) onEnd(member)
  }
  return (
    <dialog
      class="dialog form-dialog"
      ref={dialog}
      aria-labelledby="new-title"
      onCancel={(event) => {
        event.preventDefault()
        // Escape is pressed by accident; Cancel is not.
        if (!form.dirty) onEnd(undefined)
      }}
    >
      <h2 id="new-title">{title}</h2>
      <CreatingContext.Provider value={undefined}>
        <FormView
          form={form}
          label={title}
          submitLabel="Create"
          cancel={() => onEnd(undefined)}
          root={ROOT}
          onSubmit={(unread) => form.submit(create, unread)}
          remedy={form.problems?.uncertain && <LookForIt collection={collection} drafts={form.drafts} />}
        />
      </CreatingContext.Provider>
    </dialog>
  )
}

/** With what was looked for as its name. */
function named(
  drafts: readonly PropertyDraft[],
  cls: ClassDescription,
  name: string,
): readonly PropertyDraft[] {
  const naming = namingProperty(cls)
  return drafts.map((one) =>
    one.property.name === naming && one.draft.kind === 'text' && name
      ? { ...one, draft: { ...one.draft, text: name } }
      : one,
  )
}
