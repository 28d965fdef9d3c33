import { useId, useState } from 'preact/hooks'
import { Select } from '../shared/controls/index.ts'
import { keep, lastingMemory } from '../shared/state.ts'
import type { Option } from '../shared/values.ts'

const KEY = 'hydrant-theme'

const THEMES: readonly Option[] = [
  ['', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

const readTheme = (): string => lastingMemory()?.getItem(KEY) ?? ''

/** tokens.css has the colours of each; without one the system decides. */
export function showTheme(theme = readTheme()): void {
  document.documentElement.dataset.theme = theme
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme)
  const id = useId()
  const choose = (next: string) => {
    keep(lastingMemory(), KEY, next || undefined)
    showTheme(next)
    setTheme(next)
  }
  return (
    <div class="side-theme row">
      <label for={id}>Theme</label>
      <Select id={id} value={theme} options={THEMES} onChange={choose} />
    </div>
  )
}
