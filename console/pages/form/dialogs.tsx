import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ClassDescription, Member, OwnOperation } from '../../../src/client/index.ts'
import { classNamed, memberWord, useApi } from '../../shared/connection/index.ts'
import { Dialog, Status } from '../../shared/controls/index.ts'
import { nameOf } from '../../shared/names.ts'
import type { Values } from '../../shared/values.ts'
import { focusField } from './controls/field-parts.tsx'
import { fieldId } from './drafts/field-ids.ts'
import { useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'
import { NestedCreateContext, type WantedMember } from './picker/link-picker.tsx'

export function NestedCreate({ children }: { children: ComponentChildren }) {
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
      <Status class="visually-hidden">{said}</Status>
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
  const { client } = useApi()
  const form = useForm(cls, { name, root: ROOT })
  useLayoutEffect(() => focusField(fieldId(ROOT, 0)), [])
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
          creates={collection}
          save={create}
        />
      </NestedCreateContext.Provider>
    </Dialog>
  )
}

interface OperationDialogProps {
  readonly member: Member
  readonly operation: OwnOperation
  /** What it has answered; undefined for nothing. */
  readonly onDone: (answered: Member | undefined) => void
  readonly onClose: () => void
}

const NOTHING: ClassDescription = {
  ...{ iri: '', title: '', description: '', memberClass: undefined },
  ...{ properties: [], operations: [], ownOperations: [], superClasses: [] },
}

/** Asks for what an operation of the API's own expects, and carries it out. */
export function OperationDialog({ member, operation, onDone, onClose }: OperationDialogProps) {
  const { title, name, expects } = operation
  const cls = classNamed(useApi(), expects)
  const form = useForm(cls ?? NOTHING, { root: ROOT })
  useLayoutEffect(() => focusField(fieldId(ROOT, 0)), [])
  const carryOut = async (values: Values) => {
    const answered = await member.call(name, cls && values)
    if (form.isMounted()) onDone(answered)
  }
  return (
    // Escape is pressed by accident; Cancel is not.
    <Dialog class="form-dialog" title={title} onCancel={() => form.dirty || onClose()}>
      <FormView form={form} label={title} submitLabel={title} cancel={onClose} save={carryOut} />
    </Dialog>
  )
}
