import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import { Dialog, LabelledSelect, Status } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { type ValuesByName, valueIn } from '../../../shared/values.ts'
import { FormView, useForm } from '../../form/index.ts'
import { changeableProperties } from './changeable-properties.ts'
import { countOf, type SelectionDialogProps, useWrites } from './use-writes.tsx'

/** Sets one property of all selected members. */
export function ChangeSelection(props: SelectionDialogProps) {
  const { selection, onClose } = props
  const { collection, members } = selection
  const { memberClass } = collection
  const properties = changeableProperties(memberClass)
  const [name, setName] = useState(properties[0]?.name)
  const property = properties.find((one) => one.name === name)
  const { busy, run, outcome } = useWrites(props, 'changed')
  const title = `Change ${countOf(members.length, collection)}`
  // The outcome says what has failed, so the dialog stays open until then.
  const cancel = () => busy || onClose()
  if (outcome)
    return (
      <Dialog title="Not all were changed" onCancel={onClose}>
        {outcome}
      </Dialog>
    )
  return (
    <Dialog class="form-dialog" title={title} onCancel={cancel}>
      <LabelledSelect
        label="Property"
        value={name ?? ''}
        options={properties.map((one) => [one.name, labelOf(one)])}
        onChange={setName}
      />
      {memberClass && property && (
        <ValueForm
          key={property.name}
          cls={memberClass}
          property={property}
          title={title}
          busy={busy}
          onCancel={cancel}
          save={(value) => run((batch, member) => batch.update(member, { [property.name]: value }))}
        />
      )}
    </Dialog>
  )
}

interface ValueFormProps {
  readonly cls: ClassDescription
  readonly property: PropertyDescription
  readonly title: string
  readonly busy: string | false
  readonly onCancel: () => void
  /** Null removes the value. */
  readonly save: (value: unknown) => Promise<void>
}

const NO_VALUES: ValuesByName = {}

function ValueForm({ cls, property, title, busy, onCancel, save }: ValueFormProps) {
  const only = useMemo(() => ({ ...cls, properties: [property] }), [cls, property])
  const form = useForm(only, { former: NO_VALUES, root: 'change' })
  return (
    <FormView
      form={form}
      label={title}
      submitLabel={title}
      cancel={{ onClick: onCancel }}
      save={(values) => save(valueIn(values, property.name) ?? null)}
      note={<Status>{busy || (!property.required && 'An empty field removes the value.')}</Status>}
    />
  )
}
