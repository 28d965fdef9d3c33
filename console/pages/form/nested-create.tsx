import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { ClassDescription, Member } from '../../../src/client/index.ts'
import { memberWord, useApi } from '../../shared/connection/index.ts'
import { Dialog, holdUnsaved } from '../../shared/controls/index.ts'
import { nameOf, namingProperty } from '../../shared/names/index.ts'
import type { Values } from '../../shared/values/index.ts'
import { focusField } from './controls/focus.ts'
import { draftsOf, type PropertyDraft } from './drafts/draft.ts'
import { fieldId } from './drafts/field-ids.ts'
import { useForm } from './drafts/use-form.ts'
import { DuplicateCheck } from './duplicate-check.tsx'
import { FormView } from './form-view.tsx'
import { NestedCreateContext, type WantedMember } from './picker/link-picker.tsx'

/** Lets the pickers of a form create a missing member without leaving the form. */
export function NestedCreate({ children }: { readonly children: ComponentChildren }) {
  const [wanted, setWanted] = useState<WantedMember>()
  const [said, setSaid] = useState('')
  const end = (member: Member | undefined) => {
    setWanted(undefined)
    setSaid(member ? `${nameOf(member, wanted?.collection.memberClass)} was created, and is chosen.` : '')
    // After the dialog has given the focus back.
    requestAnimationFrame(() => wanted?.done(member))
  }
  return (
    <NestedCreateContext.Provider value={setWanted}>
      {children}
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {/* Beside the other form: HTML has no form within a form. */}
      {wanted?.collection.memberClass && (
        <NewMemberDialog wanted={wanted} cls={wanted.collection.memberClass} onEnd={end} />
      )}
    </NestedCreateContext.Provider>
  )
}

interface NewMemberDialogProps {
  readonly wanted: WantedMember
  readonly cls: ClassDescription
  readonly onEnd: (member: Member | undefined) => void
}

/** The ids of its fields begin with this: the form below has ids of its own. */
const ROOT = 'new'

function NewMemberDialog({ wanted: { collection, name }, cls, onEnd }: NewMemberDialogProps) {
  const { client, documentation } = useApi()
  const initial = useMemo(() => named(draftsOf(cls, undefined, documentation), cls, name), [])
  const form = useForm(initial)
  useLayoutEffect(() => focusField(fieldId(ROOT, 0)), [])
  useEffect(() => (form.dirty ? holdUnsaved() : undefined), [form.dirty])
  const title = `New ${memberWord(collection)}`
  const create = async (values: Values) => {
    const member = await client.collectionAt(collection.iri).create(values)
    if (form.isMounted()) onEnd(member)
  }
  return (
    // Escape is pressed by accident; Cancel is not.
    <Dialog class="form-dialog" title={title} onCancel={() => form.dirty || onEnd(undefined)}>
      <NestedCreateContext.Provider value={undefined}>
        <FormView
          form={form}
          label={title}
          submitLabel="Create"
          cancel={() => onEnd(undefined)}
          root={ROOT}
          onSubmit={(unread) => form.submit(create, unread)}
          remedy={form.problems?.uncertain && <DuplicateCheck collection={collection} drafts={form.drafts} />}
        />
      </NestedCreateContext.Provider>
    </Dialog>
  )
}

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
