import { useEffect, useRef } from 'preact/hooks'
import type { Option } from './picker-search.ts'
import type { OptionsState } from './use-options.ts'

interface PickerOptionsProps {
  readonly id: string
  readonly open: boolean
  readonly options: readonly Option[]
  readonly active: number
  readonly state: OptionsState
  readonly onChoose: (option: Option) => void
}

/** The list below a picker, and what there is to say about it. */
export function PickerOptions({ id, open, options, active, state, onChoose }: PickerOptionsProps) {
  const popup = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) popup.current?.scrollIntoView({ block: 'nearest' })
  }, [open, options])
  useEffect(() => {
    if (open) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [open, active])
  const said = open ? sentence(options.length, state) : ''
  return (
    <div class="picker-popup" ref={popup} hidden={!open}>
      {/* The focus stays in the text field, which names the active option (ARIA 1.2, combobox). */}
      <div id={id} class="picker-list" role="listbox" aria-label="Choices" aria-busy={state === 'searching'}>
        {open &&
          options.map((option, index) => (
            <button
              key={option.iri}
              id={`${id}-${index}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option)}
            >
              {option.name}
              {option.detail && <span class="hint picker-detail">{option.detail}</span>}
            </button>
          ))}
      </div>
      <p class={options.length > 0 && state === 'done' ? 'visually-hidden' : 'hint'} role="status">
        {said}
      </p>
    </div>
  )
}

function sentence(count: number, state: OptionsState): string {
  if (typeof state === 'object') return state.failed
  if (state === 'searching') return 'Searching …'
  if (count === 0) return 'Nothing matches.'
  return count === 1 ? '1 found.' : `${count} found.`
}
