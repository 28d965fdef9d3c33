import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { collectionAt, collectionTitle, routeTo, singlesOf, useApi } from '../shared/connection/index.ts'
import { Button, Select } from '../shared/controls/index.ts'
import { hrefOf, type Route, titleOf } from '../shared/names.ts'
import { keep, lastingMemory } from '../shared/state.ts'
import type { Option } from '../shared/values.ts'

/** Links to everything that the entry point links to. On a narrow screen it is a menu. */
interface NavigationProps {
  readonly route: Route
  readonly onOtherApi: () => void
  readonly onKeys: () => void
}

export function Navigation({ route, onOtherApi, onKeys }: NavigationProps) {
  const api = useApi()
  const { base, collections } = api
  // On a narrow screen the menu is open until the page changes.
  const [openAt, setOpenAt] = useState<Route>()
  const open = openAt === route
  const here = collectionAt(route, base, collections)
  const singles = singlesOf(base, api)
  const single = singles.find(({ path }) => 'path' in route && route.path === path)
  const collection = collections.find(({ name }) => name === here)
  const name = here ?? single?.name
  const title = collection ? collectionTitle(collection) : name && titleOf(name)
  return (
    <nav class="side" aria-label="Collections" data-open={open}>
      <button
        type="button"
        class="button side-toggle"
        aria-expanded={open}
        aria-controls="side-places"
        onClick={() => setOpenAt(open ? undefined : route)}
      >
        <span>{pageName(route, title)}</span>
        <span class="side-toggle-word">{open ? 'Close' : 'Menu'}</span>
      </button>
      <div class="side-places" id="side-places">
        <ul>
          <Item href={hrefOf({ page: 'home' })} name="Overview" current={route.page === 'home' && 'page'} />
        </ul>
        <Section id="side-collections" title="Collections">
          {collections.map((collection) => (
            <Item
              key={collection.name}
              href={hrefOf(routeTo(collection))}
              name={collectionTitle(collection)}
              // The page of a member is not that of its collection, but belongs to it.
              current={here === collection.name && (route.page === 'table' ? 'page' : 'true')}
            />
          ))}
          {collections.length === 0 && <li class="hint">None</li>}
        </Section>
        {singles.length > 0 && (
          <Section id="side-singles" title="Single resources">
            {singles.map(({ name, path }) => (
              <Item
                key={name}
                href={hrefOf({ page: 'member', path })}
                name={titleOf(name)}
                current={single?.name === name && (route.page === 'member' ? 'page' : 'true')}
              />
            ))}
          </Section>
        )}
        <ApiSection route={route} onOtherApi={onOtherApi} />
        <ThemeSwitch />
        <Button label="Keys" class="quiet side-keys" onClick={onKeys} />
      </div>
    </nav>
  )
}

const Section = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <>
    <h2 id={id}>{title}</h2>
    <ul aria-labelledby={id}>{children}</ul>
  </>
)

const ApiSection = ({ route, onOtherApi }: { route: Route; onOtherApi: () => void }) => (
  <Section id="side-api" title="API">
    <Item
      href={hrefOf({ page: 'documentation', name: undefined })}
      name="Documentation"
      current={route.page === 'documentation' && 'page'}
    />
    <li>
      <button type="button" onClick={onOtherApi}>
        Another API …
      </button>
    </li>
  </Section>
)

const Item = ({ href, name, current }: { href: string; name: string; current: 'page' | 'true' | false }) => (
  <li>
    <a href={href} title={name} aria-current={current || undefined}>
      {name}
    </a>
  </li>
)

function pageName(route: Route, here: string | undefined): string {
  if (here) return here
  if (route.page === 'missing') return 'Page not found'
  if (route.page === 'account') return 'Your account'
  return route.page === 'documentation' ? 'Documentation' : 'Overview'
}

const KEY = 'hydrant-theme'

const THEMES: readonly Option[] = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

const readTheme = (): string => lastingMemory()?.getItem(KEY) ?? ''

/** tokens.css has the colours. Without a theme, the system's setting applies. */
export function showTheme(theme = readTheme()): void {
  document.documentElement.dataset.theme = theme
}

function ThemeSwitch() {
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
