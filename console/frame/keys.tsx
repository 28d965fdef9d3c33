import { useState } from 'preact/hooks'
import { Button, Dialog } from '../shared/controls/index.ts'
import { keep, lastingMemory, useAbortableEffect } from '../shared/state.ts'

/** WCAG 2.1.4: people who speak to their computer can turn off keys that are single characters. */
const KEY = 'hydrant-keys'
const OFF = 'off'

const areOn = (): boolean => lastingMemory()?.getItem(KEY) !== OFF

/** The keys of all pages. */
export function useKeys() {
  const [isShown, setShown] = useState(false)
  useAbortableEffect((signal) => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isFree(event) || !areOn()) return
      if (event.key === '?') setShown(true)
      else if (event.key !== '/' || !focusSearch()) return
      // Otherwise the key would be typed into the field.
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown, { signal })
  }, [])
  return {
    show: () => setShown(true),
    dialog: isShown && <KeysDialog onClose={() => setShown(false)} />,
  }
}

const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select'

/** Whether a key is neither typed into a field, nor one of a dialog or of the browser. */
const isFree = ({ target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }: KeyboardEvent) =>
  !(ctrlKey || metaKey || altKey || isComposing || defaultPrevented) &&
  !(target instanceof Element && target.matches(TYPED_INTO)) &&
  document.querySelector('dialog[open]') === null

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#main input[type="search"]')
  field?.focus()
  field?.select()
  return field !== null
}

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/'], 'Search this table'],
  [['?'], 'Show these keys'],
  [['Enter'], 'In a list of a form: go to the next value, or add one'],
  [['Alt', '↑ or ↓'], 'In a table of a form: move the row'],
  [['↑ or ↓'], 'In a picker: go through the choices; Enter chooses one'],
  [['Shift', 'click'], 'On a row of a table: select all rows from the last one'],
  [['Esc'], 'Close a dialog, a list or a menu'],
]

function KeysDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areOn)
  const turn = (next: boolean) => {
    keep(lastingMemory(), KEY, next ? undefined : OFF)
    setOn(next)
  }
  return (
    <Dialog title="Keys" onCancel={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="row">
        <input type="checkbox" checked={on} onChange={({ currentTarget }) => turn(currentTarget.checked)} />{' '}
        Use <kbd>/</kbd> and <kbd>?</kbd>
      </label>
      <div class="actions">
        <Button label="Close" onClick={onClose} />
      </div>
    </Dialog>
  )
}
