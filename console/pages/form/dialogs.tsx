import type { ClassDescription, CollectionDescription, Member } from 'hydrant-client'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { findName, memberWord, useApi } from '../../shared/connection/index.ts'
import { Dialog, Status } from '../../shared/controls/index.ts'
import type { ValuesByName } from '../../shared/values.ts'
import { focusField } from './controls/field-parts.tsx'
import { creationIn } from './drafts/dry-run.ts'
import { fieldId } from './drafts/reading.ts'
import { useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'
import { type CreatedMember, NestedCreateContext, type WantedMember } from './picker/picker-popup.tsx'

export function NestedCreate({ children }: { children: ComponentChildren }) {
  const api = useApi()
  const { client } = api
  const [wanted, setWanted] = useState<WantedMember>()
  const [said, setSaid] = useState('')
  const end = (created?: CreatedMember) => {
    setWanted(undefined)
    setSaid(created ? `${created.name} was created and chosen.` : '')
    // After the dialog has returned the focus.
    requestAnimationFrame(() => wanted?.done(created))
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
          save={async (values) => {
            const member: Member = await client.collectionAt(wanted.collection.iri).create(values)
            return { iri: member.iri, name: await findName(api, member) }
          }}
          onSaved={end}
          onCancel={end}
        />
      )}
    </NestedCreateContext.Provider>
  )
}

interface FormDialogProps<T> {
  readonly title: string
  /** Undefined if there is nothing to fill in. */
  readonly cls: ClassDescription | undefined
  readonly creates?: CollectionDescription
  readonly name?: string
  readonly save: (values: ValuesByName) => Promise<T>
  readonly onSaved: (saved: T) => void
  readonly onCancel: () => void
}

/** A form over the page, for a new member or for the input of an operation. */
export function FormDialog<T>(props: FormDialogProps<T>) {
  const { title, cls, creates, name, save, onSaved, onCancel } = props
  const form = useForm(cls, { creates, name, root: 'new' })
  // By itself, a dialog would focus a group of fields, where nothing can be typed.
  useLayoutEffect(() => focusField(fieldId(form.root, 0)), [])
  const saveAndClose = async (values: ValuesByName) => {
    const saved = await save(values)
    if (form.isMounted()) onSaved(saved)
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
          attempted={creates && creationIn(creates)}
        />
      </NestedCreateContext.Provider>
    </Dialog>
  )
}
