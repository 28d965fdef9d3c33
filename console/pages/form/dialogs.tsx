import type { ClassDescription, CollectionDescription, Member } from 'hydrant-client'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { memberWord, useApi } from '../../shared/connection/index.ts'
import { Dialog, Status } from '../../shared/controls/index.ts'
import { nameOf } from '../../shared/names.ts'
import type { ValuesByName } from '../../shared/values.ts'
import { focusField } from './controls/field-parts.tsx'
import { fieldId } from './drafts/reading.ts'
import { useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'
import { NestedCreateContext, type WantedMember } from './picker/picker-popup.tsx'

export function NestedCreate({ children }: { children: ComponentChildren }) {
  const { client } = useApi()
  const [wanted, setWanted] = useState<WantedMember>()
  const [said, setSaid] = useState('')
  const end = (member?: Member) => {
    setWanted(undefined)
    setSaid(member ? `${nameOf(member, wanted?.collection.memberClass)} was created and chosen.` : '')
    // After the dialog has returned the focus.
    requestAnimationFrame(() => wanted?.done(member))
  }
  return (
    <NestedCreateContext.Provider value={setWanted}>
      {children}
      <Status class="visually-hidden">{said}</Status>
      {/* Beside the other form, since HTML forms cannot be nested. */}
      {wanted && (
        <FormDialog
          title={`New ${memberWord(wanted.collection)}`}
          cls={wanted.collection.memberClass}
          creates={wanted.collection}
          name={wanted.name}
          save={(values) => client.collectionAt(wanted.collection.iri).create(values)}
          onSaved={end}
          onCancel={end}
        />
      )}
    </NestedCreateContext.Provider>
  )
}

interface FormDialogProps {
  readonly title: string
  /** Undefined if there is nothing to fill in. */
  readonly cls: ClassDescription | undefined
  readonly creates?: CollectionDescription
  readonly name?: string
  readonly save: (values: ValuesByName) => Promise<Member | undefined>
  readonly onSaved: (answered: Member | undefined) => void
  readonly onCancel: () => void
}

/** A form over the page, for a new member or for the input of an operation. */
export function FormDialog({ title, cls, creates, name, save, onSaved, onCancel }: FormDialogProps) {
  const form = useForm(cls, { creates, name, root: 'new' })
  // By itself, a dialog would focus a group of fields, where nothing can be typed.
  useLayoutEffect(() => focusField(fieldId(form.root, 0)), [])
  const saveAndClose = async (values: ValuesByName) => {
    const answered = await save(values)
    if (form.isMounted()) onSaved(answered)
  }
  return (
    // Escape may be pressed by accident, unlike Cancel.
    <Dialog class="form-dialog" title={title} onCancel={() => form.dirty || onCancel()}>
      <NestedCreateContext.Provider value={undefined}>
        <FormView
          form={form}
          label={title}
          submitLabel={creates ? 'Create' : title}
          cancel={{ onClick: () => onCancel() }}
          save={saveAndClose}
        />
      </NestedCreateContext.Provider>
    </Dialog>
  )
}
