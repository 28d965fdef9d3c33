import { useLayoutEffect } from 'preact/hooks'
import type { ClassDescription, Member, OwnOperation } from '../../../src/client/index.ts'
import { classNamed, useApi } from '../../shared/connection/index.ts'
import { Dialog } from '../../shared/controls/index.ts'
import type { Values } from '../../shared/values/index.ts'
import { focusField } from './controls/focus.ts'
import { fieldId } from './drafts/field-ids.ts'
import { useForm } from './drafts/use-form.ts'
import { FormView } from './form-view.tsx'

interface OperationDialogProps {
  readonly member: Member
  readonly operation: OwnOperation
  /** What it has answered; undefined for nothing. */
  readonly onDone: (answered: Member | undefined) => void
  readonly onClose: () => void
}

/** The ids of its fields begin with this. */
const ROOT = 'operation'

const NOTHING: ClassDescription = {
  ...{ iri: '', title: '', description: '', memberClass: undefined },
  ...{ properties: [], operations: [], ownOperations: [], superClasses: [] },
}

/** Asks for what an operation of the API's own expects, and carries it out. */
export function OperationDialog({ member, operation, onDone, onClose }: OperationDialogProps) {
  const { title, name, expects } = operation
  const cls = classNamed(useApi(), expects)
  const form = useForm(cls ?? NOTHING)
  useLayoutEffect(() => focusField(fieldId(ROOT, 0)), [])
  const carryOut = async (values: Values) => {
    const answered = await member.call(name, cls && values)
    if (form.isMounted()) onDone(answered)
  }
  return (
    // Escape is pressed by accident; Cancel is not.
    <Dialog class="form-dialog" title={title} onCancel={() => form.dirty || onClose()}>
      <FormView form={form} label={title} submitLabel={title} cancel={onClose} root={ROOT} save={carryOut} />
    </Dialog>
  )
}
