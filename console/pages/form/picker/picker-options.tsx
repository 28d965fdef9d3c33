import { useEffect, useRef, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../../src/client/index.ts'
import { useApi } from '../../../shared/api.ts'
import { sentenceOf } from '../../../shared/controls/error-sentence.ts'
import { findOptions, type Option } from './picker-search.ts'

interface PickerOptionsProps {
  readonly id: string
  readonly open: boolean
  readonly options: readonly Option[]
  readonly active: number
  readonly state: OptionsState
  /** What one of them is called. */
  readonly word: string
  /** Nothing was typed: where nothing is found, there is nothing. */
  readonly isEmpty: boolean
  readonly onChoose: (option: Option) => void
  /** Makes a new one; undefined where that is not possible. */
  readonly onCreate?: (() => void) | undefined
}

/** The list below a picker, and what there is to say about it. */
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

/** Somebody who types is not asked about after each letter. */
const PAUSE_MS = 200

/** Whether the options belong to what is typed; or why there are none. */
export type OptionsState = 'searching' | 'done' | { readonly failed: string }

interface Options {
  readonly options: readonly Option[]
  readonly state: OptionsState
}

const NONE: Options = { options: [], state: 'searching' }

/** What can be chosen, for as long as a collection is given. Old searches are given up. */
export function useOptions(collection: CollectionDescription | undefined, text: string): Options {
  const { client } = useApi()
  const [found, setFound] = useState(NONE)
  useEffect(() => {
    if (!collection) return setFound(NONE)
    const controller = new AbortController()
    const { signal } = controller
    setFound(({ options }) => ({ options, state: 'searching' }))
    const search = () =>
      findOptions(client, collection, text.trim(), signal).then(
        (options) => signal.aborted || setFound({ options, state: 'done' }),
        (error: unknown) => signal.aborted || setFound({ options: [], state: { failed: sentenceOf(error) } }),
      )
    const timer = setTimeout(search, text === '' ? 0 : PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, collection, text])
  return found
}
