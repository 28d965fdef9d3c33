import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { CollectionDescription, Member } from '../../../../src/client/index.ts'
import { canCreate, memberWord, useApi } from '../../../shared/connection/index.ts'
import { useMemberName } from '../../../shared/controls/index.ts'
import { inWords, nameOf } from '../../../shared/names/index.ts'
import { isAddress } from '../drafts/typed-text.ts'
import { PickerOptions, useOptions } from './picker-options.tsx'
import type { PickerOption } from './picker-search.ts'

interface LinkPickerProps {
  readonly id: string
  readonly target: string | undefined
  /** The address of the chosen member; empty for none. Any other text was searched for. */
  readonly value: string
  readonly onChange: (iri: string) => void
  /** A search text was typed, which is no address yet. */
  readonly onTyping?: (text: string) => void
  readonly label?: string | undefined
  readonly ariaLabel?: string | undefined
  readonly describedBy?: string | undefined
  readonly invalid?: boolean | undefined
  readonly required?: boolean | undefined
}

/** Chooses a member of another collection by its name (ARIA 1.2 combobox with a list). */
export function LinkPicker(props: LinkPickerProps) {
  const { id, target, value, onChange, onTyping, label = 'link', describedBy } = props
  const { collections } = useApi()
  const collection = collections.find(({ memberClass }) => target && memberClass?.iri === target)
  const [chosen, setChosen] = useState<PickerOption>()
  const [typed, setTyped] = useState(isAddress(value) ? undefined : value || undefined)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const known = useMemberName(isAddress(value) ? value : '', chosen?.iri === value ? chosen.name : undefined)
  const { options, state } = useOptions(open ? collection : undefined, typed ?? '')
  const text = typed ?? (value ? known : '')
  const listId = `${id}-list`
  const current = open ? options[active] : undefined
  const create = useNestedCreate(collection)

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const choose = (option: PickerOption) => {
    setChosen(option)
    setTyped(undefined)
    onChange(option.iri)
    close()
  }
  const type = (next: string) => {
    // The address of a member is as good as its name.
    const isDone = next === '' || isAddress(next.trim())
    setTyped(isDone ? undefined : next)
    if (isDone || isAddress(value)) onChange(isDone ? next.trim() : '')
    if (!isDone) onTyping?.(next)
    setOpen(!isDone || next === '')
    // The option that Enter would choose.
    setActive(isDone ? -1 : 0)
  }
  const clear = () => {
    setTyped(undefined)
    onChange('')
    close()
    document.getElementById(id)?.focus()
  }
  const createNew = () => {
    close()
    if (!collection || !create) return
    const done = (member: Member | undefined) => {
      if (member) choose({ iri: member.iri, name: nameOf(member, collection.memberClass), detail: '' })
      document.getElementById(id)?.focus()
    }
    create({ collection, name: typed?.trim() ?? '', done })
  }
  const leave = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const isWithin = currentTarget instanceof Element && relatedTarget instanceof Node
    if (isWithin && currentTarget.contains(relatedTarget)) return
    close()
    // A name that was typed in full is chosen.
    const [only, ...others] = options.filter(({ name }) => name === typed?.trim())
    if (state === 'done' && only && others.length === 0) choose(only)
  }
  const move = (step: number) => {
    if (!open) setOpen(true)
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
          aria-label={props.ariaLabel}
          aria-autocomplete="list"
          aria-expanded={open && collection !== undefined}
          aria-controls={listId}
          aria-activedescendant={current && `${listId}-${active}`}
          aria-describedby={describedBy}
          aria-invalid={props.invalid || undefined}
          aria-required={props.required || undefined}
          placeholder={collection ? 'Type to search' : 'https://…'}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        {text !== '' && (
          <button type="button" class="picker-clear" aria-label={`Clear ${inWords(label)}`} onClick={clear}>
            <span aria-hidden="true">×</span>
          </button>
        )}
      </div>
      <PickerOptions
        id={listId}
        open={open && collection !== undefined}
        options={options}
        active={active}
        state={state}
        onChoose={choose}
        word={collection ? memberWord(collection) : ''}
        isEmpty={text === ''}
        onCreate={create && createNew}
      />
    </div>
  )
}

type Create = (wanted: WantedMember) => void

export interface WantedMember {
  readonly collection: CollectionDescription
  readonly name: string
  readonly done: (member: Member | undefined) => void
}

/** Opens a form for a new member over the present form. Undefined in a filter, and in such a form itself. */
export const NestedCreateContext = createContext<Create | undefined>(undefined)

function useNestedCreate(collection: CollectionDescription | undefined): Create | undefined {
  const create = useContext(NestedCreateContext)
  const can = collection && canCreate(collection) && collection.memberClass
  return can ? create : undefined
}
