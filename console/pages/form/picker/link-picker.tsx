import { useState } from 'preact/hooks'
import { canList, useApi } from '../../../shared/connection/index.ts'
import { useMemberName } from '../../../shared/controls/index.ts'
import { shortName } from '../../../shared/names.ts'
import { rememberNames } from '../../../shared/state.ts'
import { isAddress } from '../drafts/typed-text.ts'
import { useOptionList } from './option-list.ts'
import { type CreatedMember, PickerPopup } from './picker-popup.tsx'

interface PickedLink {
  readonly target: string | undefined
  /** The address of the chosen member; empty for none. Any other text was searched for. */
  readonly value: string
  readonly onChange: (value: string) => void
}

interface LinkPickerProps extends PickedLink {
  readonly id: string
  readonly label: string
  readonly [attribute: `aria-${string}`]: string | boolean | undefined
}

/** Chooses a member of another collection by its name (ARIA 1.2 combobox with a list). */
export function LinkPicker({ id, target, value, onChange, label, ...more }: LinkPickerProps) {
  const picker = useLinkPicker({ target, value, onChange })
  const { collection, typed, text, list } = picker
  const listId = `${id}-list`
  const focus = () => document.getElementById(id)?.focus()
  const clear = () => {
    onChange('')
    list.close()
    focus()
  }
  const created = (member: CreatedMember | undefined) => {
    if (member) picker.choose(member)
    focus()
  }
  return (
    <div class="picker" onFocusOut={picker.leave}>
      <div class="picker-box">
        <input
          id={id}
          class="input"
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          aria-autocomplete="list"
          aria-expanded={list.isOpen}
          aria-controls={listId}
          aria-activedescendant={list.current && `${listId}-${list.active}`}
          {...more}
          placeholder={collection ? 'Type to search' : 'https://…'}
          value={text}
          onInput={(event) => picker.type(event.currentTarget.value)}
          onClick={list.open}
          onBlur={({ currentTarget }) => picker.blur(currentTarget)}
          onKeyDown={(event) => list.onKeyDown(event, picker.choose)}
        />
        {text !== '' && (
          <button type="button" class="picker-clear" aria-label={`Clear ${label}`} onClick={clear}>
            <span aria-hidden="true">×</span>
          </button>
        )}
      </div>
      <PickerPopup
        listId={listId}
        list={list}
        collection={collection}
        typed={typed}
        isFieldEmpty={text === ''}
        onChoose={picker.choose}
        onCreated={created}
      />
    </div>
  )
}

function useLinkPicker({ target, value, onChange }: PickedLink) {
  const { memory, collections } = useApi()
  const collection = collections.find((one) => target && one.memberClass?.iri === target && canList(one))
  const [address, typed] = isAddress(value) ? [value, ''] : ['', value]
  // An address stays as it is typed: its name is shown when the field is left.
  const [isTyping, setTyping] = useState(false)
  const known = useMemberName(address, undefined, !isTyping)
  const list = useOptionList(collection, typed)

  const choose = ({ iri, name }: CreatedMember) => {
    // Remembered, so that it need not be read. The end of an address is no name.
    if (name !== shortName(iri)) rememberNames(memory, [[iri, name]])
    onChange(iri)
    setTyping(false)
    list.close()
  }
  const type = (next: string) => {
    setTyping(true)
    // The address of a member can be typed instead of its name.
    const isWhole = isAddress(next.trim())
    onChange(isWhole ? next.trim() : next)
    if (isWhole) list.close()
    else list.search(next)
  }
  /** When the focus has left the picker, a name that was typed in full is chosen. */
  const leave = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const isWithin = currentTarget instanceof Element && relatedTarget instanceof Node
    if (isWithin && currentTarget.contains(relatedTarget)) return
    list.close()
    const [only, ...others] = list.options.filter(({ name }) => name === typed.trim())
    if (typed && !list.busy && only && others.length === 0) choose(only)
  }
  /** If the user only looks into another window, the field is still the active element of this page. */
  const blur = (field: HTMLInputElement) => {
    if (document.activeElement !== field) setTyping(false)
  }
  return { collection, typed, text: address && !isTyping ? known : value, list, choose, type, leave, blur }
}
