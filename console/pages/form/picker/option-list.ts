import type { CollectionDescription } from 'hydrant-client'
import { useState } from 'preact/hooks'
import { sentenceOf, useApi } from '../../../shared/connection/index.ts'
import { useLoading } from '../../../shared/state.ts'
import { findOptions, type PickerOption } from './picker-search.ts'

/** The list of a combobox: the members that match a text, one of which is active. */
export interface OptionList extends FoundOptions {
  readonly isOpen: boolean
  /** The index of the active option; -1 for none. */
  readonly active: number
  readonly current: PickerOption | undefined
  readonly open: () => void
  readonly close: () => void
  /** Opens the list for a text that was typed, with its first option active. */
  readonly search: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent, choose: (option: PickerOption) => void) => void
}

export function useOptionList(collection: CollectionDescription | undefined, text: string): OptionList {
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const found = useOptions(isOpen ? collection : undefined, text)
  const current = isOpen ? found.options[active] : undefined

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const move = (step: number) => {
    setOpen(true)
    const count = found.options.length
    if (count > 0)
      setActive((before) => (before < 0 && step < 0 ? count - 1 : (before + step + count) % count))
  }
  return {
    ...found,
    isOpen: isOpen && collection !== undefined,
    active,
    current,
    open: () => setOpen(true),
    close,
    search(next) {
      setOpen(true)
      setActive(next === '' ? -1 : 0)
    },
    onKeyDown(event, choose) {
      if (event.key === 'ArrowDown') move(1)
      else if (event.key === 'ArrowUp') move(-1)
      else if (event.key === 'Enter' && isOpen) current && choose(current)
      else if (event.key === 'Escape' && isOpen) close()
      else return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

interface FoundOptions {
  readonly options: readonly PickerOption[]
  readonly busy: boolean
  /** A sentence; empty if the search has not failed. */
  readonly failure: string
}

const PAUSE_MS = 200
const NONE: readonly PickerOption[] = []

function useOptions(collection: CollectionDescription | undefined, text: string): FoundOptions {
  const { client, documentation } = useApi()
  const { value, busy, error } = useLoading(
    async (signal) => {
      if (!collection) return undefined
      if (text !== '') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      signal.throwIfAborted()
      return findOptions({ client, documentation }, collection, text.trim(), signal)
    },
    [client, collection, text],
  )
  const failure = error === undefined || busy ? '' : sentenceOf(error)
  return { options: value ?? NONE, busy: failure === '' && (busy || !value), failure }
}
