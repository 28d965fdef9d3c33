import type { CollectionDescription, Member } from 'hydrant-client'
import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { canCreate, canList, memberWord, sentenceOf, useApi } from '../../../shared/connection/index.ts'
import { Status, useMemberName } from '../../../shared/controls/index.ts'
import { nameOf, shortName } from '../../../shared/names.ts'
import { rememberNames, useLoading } from '../../../shared/state.ts'
import { isAddress } from '../drafts/typed-text.ts'
import { findOptions, type PickerOption } from './picker-search.ts'

interface LinkPickerProps {
  readonly id: string
  readonly target: string | undefined
  /** The address of the chosen member; empty for none. Any other text was searched for. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly [attribute: `aria-${string}`]: string | boolean | undefined
}

/** Chooses a member of another collection by its name (ARIA 1.2 combobox with a list). */
export function LinkPicker({ id, target, value, onChange, label, ...more }: LinkPickerProps) {
  const { memory, collections } = useApi()
  const collection = collections.find((one) => target && one.memberClass?.iri === target && canList(one))
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [address, typed] = isAddress(value) ? [value, ''] : ['', value]
  // An address stays as it is typed: its name is shown when the field is left.
  const [isTyping, setTyping] = useState(false)
  const known = useMemberName(address, undefined, !isTyping)
  const { options, busy, failure } = useOptions(open ? collection : undefined, typed)
  const text = address && !isTyping ? known : value
  const listId = `${id}-list`
  const isShown = open && collection !== undefined
  const word = collection ? memberWord(collection) : ''
  const popup = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isShown) popup.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown, options])
  useEffect(() => {
    if (isShown) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [isShown, active])
  const current = open ? options[active] : undefined
  const nested = useContext(NestedCreateContext)
  const create = collection && canCreate(collection) ? nested : undefined

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const choose = ({ iri, name }: Pick<PickerOption, 'iri' | 'name'>) => {
    // It need not be read. The end of an address is no name.
    if (name !== shortName(iri)) rememberNames(memory, [[iri, name]])
    onChange(iri)
    setTyping(false)
    close()
  }
  const type = (next: string) => {
    setTyping(true)
    // The address of a member is as good as its name.
    const isWhole = isAddress(next.trim())
    onChange(isWhole ? next.trim() : next)
    setOpen(!isWhole)
    setActive(isWhole || next === '' ? -1 : 0)
  }
  const clear = () => {
    onChange('')
    close()
    document.getElementById(id)?.focus()
  }
  const createNew = () => {
    close()
    const done = (member: Member | undefined) => {
      if (member) choose({ iri: member.iri, name: nameOf(member, collection?.memberClass) })
      document.getElementById(id)?.focus()
    }
    if (collection) create?.({ collection, name: typed.trim(), done })
  }
  const leave = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const isWithin = currentTarget instanceof Element && relatedTarget instanceof Node
    if (isWithin && currentTarget.contains(relatedTarget)) return
    close()
    // A name that was typed in full is chosen.
    const [only, ...others] = options.filter(({ name }) => name === typed.trim())
    if (typed && !busy && only && others.length === 0) choose(only)
  }
  const move = (step: number) => {
    setOpen(true)
    const count = options.length
    if (count > 0)
      setActive((before) => (before < 0 && step < 0 ? count - 1 : (before + step + count) % count))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && open) current && choose(current)
    else if (event.key === 'Escape' && open) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const sentence = () => {
    if (busy) return 'Searching …'
    if (options.length === 0) return text === '' ? `There is no ${word} yet.` : 'Nothing matches.'
    return `${options.length} found.`
  }
  return (
    <div class="picker" onFocusOut={leave}>
      <div class="picker-box">
        <input
          id={id}
          class="input"
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-activedescendant={current && `${listId}-${active}`}
          {...more}
          placeholder={collection ? 'Type to search' : 'https://…'}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
          onClick={() => setOpen(true)}
          // Who looks into another window is not done yet: the field is still the active one of this page.
          onBlur={({ currentTarget }) => document.activeElement !== currentTarget && setTyping(false)}
          onKeyDown={onKeyDown}
        />
        {text !== '' && (
          <button type="button" class="picker-clear" aria-label={`Clear ${label}`} onClick={clear}>
            <span aria-hidden="true">×</span>
          </button>
        )}
      </div>
      <div class="picker-popup" ref={popup} hidden={!isShown}>
        {/* The focus stays in the text field, which names the active option (ARIA 1.2, combobox). */}
        <div id={listId} class="picker-list" role="listbox" aria-label="Choices" aria-busy={busy}>
          {isShown &&
            options.map((option, index) => (
              <button
                key={option.iri}
                id={`${listId}-${index}`}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onMouseDown={keepFocus}
                onClick={() => choose(option)}
              >
                {option.name}
                {option.detail && <span class="hint picker-detail">{option.detail}</span>}
              </button>
            ))}
        </div>
        <Status class={options.length > 0 && !busy ? 'visually-hidden' : 'hint'}>
          {isShown && (failure || sentence())}
        </Status>
        {create && (
          <button type="button" class="picker-new" onMouseDown={keepFocus} onClick={createNew}>
            New {word}
          </button>
        )}
      </div>
    </div>
  )
}

const keepFocus = (event: Event): void => event.preventDefault()

const PAUSE_MS = 200
const NONE: readonly PickerOption[] = []

function useOptions(collection: CollectionDescription | undefined, text: string) {
  const { client } = useApi()
  const { value, busy, error } = useLoading(
    async (signal) => {
      if (!collection) return undefined
      if (text !== '') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      signal.throwIfAborted()
      return findOptions(client, collection, text.trim(), signal)
    },
    [client, collection, text],
  )
  const failure = error === undefined || busy ? '' : sentenceOf(error)
  return { options: value ?? NONE, busy: failure === '' && (busy || !value), failure }
}

export interface WantedMember {
  readonly collection: CollectionDescription
  readonly name: string
  readonly done: (member: Member | undefined) => void
}

/** Opens a form for a new member over the present form. Undefined in a filter, and in such a form itself. */
export const NestedCreateContext = createContext<((wanted: WantedMember) => void) | undefined>(undefined)
