import { useRef } from 'preact/hooks'
import { Button } from '../../shared/controls/index.ts'
import { useAbortableEffect } from '../../shared/state.ts'
import type { TableColumn } from './columns.ts'
import type { useColumns } from './use-columns.ts'

interface ColumnMenuProps {
  readonly columns: ReturnType<typeof useColumns>
  /** Shows exactly these columns behind links. */
  readonly onLinked: (names: readonly string[]) => void
}

export function ColumnMenu({ columns, onLinked }: ColumnMenuProps) {
  const { all, hidden, hide, possible, linked } = columns
  const menu = useRef<HTMLDetailsElement>(null)
  const close = (): void => menu.current?.removeAttribute('open')
  useAbortableEffect((signal) => {
    const onPointer = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close()
    }
    addEventListener('pointerdown', onPointer, { signal })
  }, [])
  const toggle = (name: string): void => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    hide(next)
  }
  const toggleLinked = (name: string): void =>
    onLinked(linked.includes(name) ? linked.filter((one) => one !== name) : [...linked, name])
  return (
    <details
      ref={menu}
      class="table-columns"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !menu.current?.open) return
        close()
        menu.current.querySelector('summary')?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close()
      }}
    >
      <summary class="button">
        Columns
        {hidden.size > 0 && <span class="badge">{hidden.size} hidden</span>}
      </summary>
      <div class="table-columns-list">
        <Choices
          legend="Visible columns"
          columns={all.slice(1)}
          isChosen={(name) => !hidden.has(name)}
          onToggle={toggle}
        />
        {hidden.size > 0 && <Button onClick={() => hide(new Set())}>Show all</Button>}
        {possible.length > 0 && (
          <Choices
            legend="Columns of linked members"
            columns={possible}
            isChosen={(name) => linked.includes(name)}
            onToggle={toggleLinked}
          />
        )}
      </div>
    </details>
  )
}

interface ChoicesProps {
  readonly legend: string
  readonly columns: readonly TableColumn[]
  readonly isChosen: (name: string) => boolean
  readonly onToggle: (name: string) => void
}

const Choices = ({ legend, columns, isChosen, onToggle }: ChoicesProps) => (
  <fieldset>
    <legend class="hint">{legend}</legend>
    {columns.map(({ name, title }) => (
      <label key={name}>
        <input type="checkbox" checked={isChosen(name)} onChange={() => onToggle(name)} /> {title}
      </label>
    ))}
  </fieldset>
)
