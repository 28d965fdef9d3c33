import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../shared/controls/index.ts'
import type { Column } from './columns.ts'

interface ColumnMenuProps {
  /** Without the first one, which names the rows. */
  readonly columns: readonly Column[]
  readonly hidden: ReadonlySet<string>
  readonly onHidden: (hidden: ReadonlySet<string>) => void
}

export function ColumnMenu({ columns, hidden, onHidden }: ColumnMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const summary = useRef<HTMLElement>(null)
  const close = (): void => {
    if (menu.current) menu.current.open = false
  }
  useEffect(() => {
    const onPointer = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close()
    }
    addEventListener('pointerdown', onPointer)
    return () => removeEventListener('pointerdown', onPointer)
  }, [])
  const toggle = (name: string): void => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    onHidden(next)
  }
  return (
    <details
      ref={menu}
      class="table-columns"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !menu.current?.open) return
        close()
        summary.current?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close()
      }}
    >
      <summary ref={summary} class="button">
        Columns
        {hidden.size > 0 && <span class="badge">{hidden.size} hidden</span>}
      </summary>
      <fieldset class="table-columns-list">
        <legend class="visually-hidden">Columns that are shown</legend>
        {columns.map(
          ({ name, title }) =>
            name !== undefined && (
              <label key={name}>
                <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} /> {title}
              </label>
            ),
        )}
        {hidden.size > 0 && <Button onClick={() => onHidden(new Set())}>Show all</Button>}
      </fieldset>
    </details>
  )
}
