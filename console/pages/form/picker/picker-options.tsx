import { useEffect, useRef, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../../src/client/index.ts'
import { sentenceOf, useApi } from '../../../shared/connection/index.ts'
import { useAbortableEffect } from '../../../shared/state/index.ts'
import { findOptions, type PickerOption } from './picker-search.ts'

interface PickerOptionsProps {
  readonly id: string
  readonly open: boolean
  readonly options: readonly PickerOption[]
  readonly active: number
  readonly state: OptionsState
  readonly word: string
  readonly isEmpty: boolean
  readonly onChoose: (option: PickerOption) => void
  readonly onCreate?: (() => void) | undefined
}

export function PickerOptions(props: PickerOptionsProps) {
  const { id, open, options, active, state, word, onChoose, onCreate } = props
  const popup = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) popup.current?.scrollIntoView({ block: 'nearest' })
  }, [open, options])
  useEffect(() => {
    if (open) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [open, active])
  const said = open ? sentence(options.length, props) : ''
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
      {onCreate && (
        <button
          type="button"
          class="picker-new"
          onMouseDown={(event) => event.preventDefault()}
          onClick={onCreate}
        >
          New {word}
        </button>
      )}
    </div>
  )
}

function sentence(count: number, { state, isEmpty, word }: PickerOptionsProps): string {
  if (typeof state === 'object') return state.failed
  if (state === 'searching') return 'Searching …'
  if (count === 0) return isEmpty ? `There is no ${word} yet.` : 'Nothing matches.'
  return count === 1 ? '1 found.' : `${count} found.`
}

/** A search begins after a pause in typing. */
const PAUSE_MS = 200

/** Whether the options belong to what is typed; or why the search failed. */
type OptionsState = 'searching' | 'done' | { readonly failed: string }

interface FoundOptions {
  readonly options: readonly PickerOption[]
  readonly state: OptionsState
}

const NONE: FoundOptions = { options: [], state: 'searching' }

/** The members that match a text, while a collection is given. An old search is aborted. */
export function useOptions(collection: CollectionDescription | undefined, text: string): FoundOptions {
  const { client } = useApi()
  const [found, setFound] = useState(NONE)
  useAbortableEffect(
    (signal) => {
      if (!collection) return setFound(NONE)
      setFound(({ options }) => ({ options, state: 'searching' }))
      const search = () =>
        findOptions(client, collection, text.trim(), signal).then(
          (options) => signal.aborted || setFound({ options, state: 'done' }),
          (error: unknown) =>
            signal.aborted || setFound({ options: [], state: { failed: sentenceOf(error) } }),
        )
      const timer = setTimeout(search, text === '' ? 0 : PAUSE_MS)
      return () => clearTimeout(timer)
    },
    [client, collection, text],
  )
  return found
}
