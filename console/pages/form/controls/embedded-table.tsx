import type { ClassDescription, Documentation, PropertyDescription } from 'hydrant-client'
import { useState } from 'preact/hooks'
import { useApi } from '../../../shared/connection/index.ts'
import { Button, Status, Unit } from '../../../shared/controls/index.ts'
import { labelOf } from '../../../shared/names.ts'
import { embeddedClass, isObject, typedKindOf, valueIn } from '../../../shared/values.ts'
import {
  type EmbeddedDraft,
  eachOnce,
  isBlank,
  type ListDraft,
  type ListItem,
  newItem,
} from '../drafts/draft.ts'
import { fieldId, itemLabel } from '../drafts/reading.ts'
import { alignment, type CellControl, EmbeddedRow, RowButtons } from './embedded-row.tsx'
import { type FieldProps, focusField, Group, RequiredMark } from './field-parts.tsx'
import { endsLine, useRows } from './list-rows.ts'

type EmbeddedItem = ListItem & { readonly draft: EmbeddedDraft }

/** Wider tables would have no room for what is typed. */
const MOST_COLUMNS = 7

/** The class of the rows, if each of its values fits into a cell. */
export function tableClass(
  property: PropertyDescription,
  { items }: ListDraft,
  documentation: Documentation,
): ClassDescription | undefined {
  const cls =
    typedKindOf(property, documentation) === 'embedded' ? embeddedClass(property, documentation) : undefined
  if (!cls || eachOnce(cls).length > MOST_COLUMNS) return undefined
  const isSimple = (one: PropertyDescription) =>
    !one.writable || (!one.many && !['embedded', 'languages'].includes(typedKindOf(one, documentation)))
  // Other APIs may send several values, or a value of another kind.
  const fits = ({ draft }: ListItem) =>
    draft.kind === 'embedded' && draft.properties.every((one) => 'text' in one.draft)
  return eachOnce(cls).every(isSimple) && items.every(fits) ? cls : undefined
}

interface EmbeddedTableProps extends FieldProps<ListDraft> {
  readonly cls: ClassDescription
  readonly Control: CellControl
}

/** Embedded values with a row for each and a column for each property. */
export function EmbeddedTable(props: EmbeddedTableProps) {
  const { id, property, cls, Control } = props
  const { items, rows, said, nameOf, add, move, onKeyDown } = useEmbeddedRows(props)
  const columns = eachOnce(cls)
  const isGiven = ({ name }: PropertyDescription) =>
    items.some(({ draft: { given } }) => isObject(given) && valueIn(given, name) !== undefined)
  const fixed = columns.filter((one) => !one.writable && isGiven(one))
  return (
    <Group id={id} property={property}>
      {items.length > 0 && (
        <div class="form-lines">
          <table class="form-table">
            <TableHead columns={[...columns.filter(({ writable }) => writable), ...fixed]} />
            <tbody>
              {items.map((item, index) => (
                <EmbeddedRow
                  key={item.key}
                  id={fieldId(id, item.key)}
                  name={nameOf(index)}
                  number={index + 1}
                  draft={item.draft}
                  fixed={fixed}
                  Control={Control}
                  onChange={(draft) => rows.change(item, { ...item, draft })}
                  onKeyDown={(event, column) => onKeyDown(event, index, column)}
                >
                  <RowButtons
                    name={nameOf(index)}
                    isFirst={index === 0}
                    isLast={index === items.length - 1}
                    onMove={(step) => move(index, step)}
                    onRemove={() => rows.remove(item)}
                  />
                </EmbeddedRow>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Status class="visually-hidden">{said}</Status>
      <Button id={`${id}-add`} class="form-add" onClick={add}>
        {items.length > 0 ? 'Add another' : 'Add a row'}
        <span class="visually-hidden"> to {labelOf(property)}</span>
      </Button>
    </Group>
  )
}

function useEmbeddedRows({ id, property, draft, onChange }: FieldProps<ListDraft>) {
  const { documentation } = useApi()
  const items = draft.items as readonly EmbeddedItem[]
  const rows = useRows(id, draft.items, (next) => onChange({ ...draft, items: next }))
  const [said, setSaid] = useState('')
  const nameOf = (index: number) => itemLabel(labelOf(property), index + 1)
  const add = () => rows.add({ draft: newItem(property, documentation) })
  const move = (index: number, step: 1 | -1) => {
    const item = items[index]
    if (!item || !items[index + step]) return
    rows.move(item, step)
    setSaid(`${nameOf(index)} is now ${nameOf(index + step)}.`)
  }
  const onKeyDown = (event: KeyboardEvent, index: number, column: number) => {
    const item = items[index]
    if (!item) return
    const step = MOVES[event.key]
    const isMove = event.altKey && step && event.target instanceof HTMLInputElement
    if (event.defaultPrevented || !(isMove || endsLine(event))) return
    event.preventDefault()
    if (isMove) return move(index, step)
    // Enter moves on to the next row. It does not save the form.
    const next = items[index + 1]
    if (next) focusField(fieldId(fieldId(id, next.key), column))
    else if (!isBlank(item.draft)) add()
  }
  return { items, rows, said, nameOf, add, move, onKeyDown }
}

const MOVES: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 }

const TableHead = ({ columns }: { columns: readonly PropertyDescription[] }) => (
  <thead>
    <tr>
      <td />
      {columns.map((one) => (
        <th key={one.name} scope="col" class={alignment(one)} title={one.description || undefined}>
          {labelOf(one)}
          <Unit unit={one.unit} /> <RequiredMark required={one.required && one.writable} />
        </th>
      ))}
      <td />
    </tr>
  </thead>
)
