import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { CollectionDescription, Member } from '../../../../src/client/index.ts'
import { useApi } from '../../../shared/api.ts'
import { canCreate, memberWord } from '../../../shared/connection/collections.ts'
import { useMemberName } from '../../../shared/names/member-names.ts'
import { inWords, nameOf } from '../../../shared/names/naming.ts'
import { isAddress } from '../drafts/typed-text.ts'
import { PickerOptions, useOptions } from './picker-options.tsx'
import type { Option } from './picker-search.ts'

export interface LinkPickerProps {
  /** Of the control, for its label. */
  readonly id: string
  /** The IRI of the class whose members can be chosen. */
  readonly target: string | undefined
  /** The address of the member that is chosen; empty for none. Other text is what was last looked for. */
  readonly value: string
  /** Told the address of a member, or nothing. */
  readonly onChange: (iri: string) => void
  /** Told what is being typed, which is no address yet. */
  readonly onTyping?: (text: string) => void
  /** What is chosen here: "Author". */
  readonly label?: string | undefined
  /** Where no label belongs to the id. */
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
  const [chosen, setChosen] = useState<Option>()
  const [typed, setTyped] = useState(isAddress(value) ? undefined : value || undefined)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const known = useMemberName(isAddress(value) ? value : '', chosen?.iri === value ? chosen.name : undefined)
  const { options, state } = useOptions(open ? collection : undefined, typed ?? '')
  const text = typed ?? (value ? known : '')
  const listId = `${id}-list`
  const current = open ? options[active] : undefined
  const create = useCreating(collection)

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const choose = (option: Option) => {
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
    // What Enter would choose.
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
    // What is written out in full is meant.
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

/** Asks for a new member of a collection, over the form that needs it. */
export type Create = (wanted: Wanted) => void

export interface Wanted {
  readonly collection: CollectionDescription
  /** What was looked for: most likely its name. */
  readonly name: string
  /** Told what was created, and nothing where it was not. */
  readonly done: (member: Member | undefined) => void
}

/** Undefined where nothing can be created in between: in a filter, and in such a form itself. */
export const CreatingContext = createContext<Create | undefined>(undefined)

export function useCreating(collection: CollectionDescription | undefined): Create | undefined {
  const create = useContext(CreatingContext)
  const can = collection && canCreate(collection) && collection.memberClass
  return can ? create : undefined
}
