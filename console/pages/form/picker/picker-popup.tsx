import type { CollectionDescription } from 'hydrant-client'
import { createContext } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { canCreate, isOfAccounts, memberWord, useApi } from '../../../shared/connection/index.ts'
import { Status } from '../../../shared/controls/index.ts'
import type { OptionList } from './option-list.ts'
import type { PickerOption } from './picker-search.ts'

interface PickerPopupProps {
  readonly listId: string
  readonly list: OptionList
  readonly collection: CollectionDescription | undefined
  /** What was searched for. */
  readonly typed: string
  readonly isFieldEmpty: boolean
  readonly onChoose: (option: PickerOption) => void
  readonly onCreated: (created: CreatedMember | undefined) => void
}

export function PickerPopup(props: PickerPopupProps) {
  const { listId, list, collection, typed, isFieldEmpty, onChoose, onCreated } = props
  const { isOpen, options, active, busy, failure } = list
  const word = collection ? memberWord(collection) : ''
  const nested = useContext(NestedCreateContext)
  const api = useApi()
  // The paraphrase of a new account is shown once, on a page of its own.
  const create = collection && canCreate(collection) && !isOfAccounts(api, collection) ? nested : undefined
  const popup = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) popup.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, options])

  const sentence = () => {
    if (failure) return failure
    if (busy) return 'Searching …'
    if (options.length === 0) return isFieldEmpty ? `There is no ${word} yet.` : 'No matches.'
    return `${options.length} found.`
  }
  const createNew = () => {
    list.close()
    if (collection) create?.({ collection, name: typed.trim(), done: onCreated })
  }
  return (
    <div class="picker-popup" ref={popup} hidden={!isOpen}>
      {/* The focus stays in the text field, which names the active option (ARIA 1.2, combobox). */}
      <div id={listId} class="picker-list" role="listbox" aria-label="Choices" aria-busy={busy}>
        {isOpen &&
          options.map((option, index) => (
            <Choice
              key={option.iri}
              id={`${listId}-${index}`}
              option={option}
              isActive={index === active}
              onChoose={onChoose}
            />
          ))}
      </div>
      <Status class={options.length > 0 && !busy ? 'visually-hidden' : 'hint'}>{isOpen && sentence()}</Status>
      {create && (
        <button type="button" class="picker-new" onMouseDown={keepFocus} onClick={createNew}>
          New {word}
        </button>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly id: string
  readonly option: PickerOption
  readonly isActive: boolean
  readonly onChoose: (option: PickerOption) => void
}

function Choice({ id, option, isActive, onChoose }: ChoiceProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) button.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      ref={button}
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onMouseDown={keepFocus}
      onClick={() => onChoose(option)}
    >
      {option.name}
      {option.detail && <span class="hint picker-detail">{option.detail}</span>}
    </button>
  )
}

const keepFocus = (event: Event): void => event.preventDefault()

export type CreatedMember = Pick<PickerOption, 'iri' | 'name'>

export interface WantedMember {
  readonly collection: CollectionDescription
  readonly name: string
  readonly done: (created: CreatedMember | undefined) => void
}

/** Opens a form for a new member over the present form. Undefined in a filter, and in such a form itself. */
export const NestedCreateContext = createContext<((wanted: WantedMember) => void) | undefined>(undefined)
