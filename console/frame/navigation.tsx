import { useEffect, useState } from 'preact/hooks'
import { useApi } from '../shared/api.ts'
import { collectionAt, singlesOf } from '../shared/connection/collections.ts'
import { Button } from '../shared/controls/button.tsx'
import { capitalised, inWords } from '../shared/names/naming.ts'
import { hrefOf, type Route } from '../shared/routes.ts'

interface NavigationProps {
  readonly route: Route
  readonly onOtherApi: () => void
}

/** The way to everything that the entry point names. On a narrow screen it is folded away. */
export function Navigation({ route, onOtherApi }: NavigationProps) {
  const api = useApi()
  const { base, collections } = api
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [route])
  const here = collectionAt(route, base, collections)
  const singles = singlesOf(base, api)
  const single = singles.find(({ path }) => 'path' in route && route.path === path)
  const place = placeName(route, here ?? single?.name)
  return (
    <nav class="side" aria-label="Collections" data-open={open}>
      <Button
        class="side-toggle"
        aria-expanded={open}
        aria-controls="side-places"
        onClick={() => setOpen(!open)}
      >
        <span>{place}</span>
        <span class="side-toggle-word">{open ? 'Close' : 'Menu'}</span>
      </Button>
      <div class="side-places" id="side-places">
        <ul>
          <Place href={hrefOf({ page: 'home' })} name="Overview" current={route.page === 'home' && 'page'} />
        </ul>
        <h2 id="side-collections">Collections</h2>
        {collections.length === 0 && <p class="hint">The entry point names none.</p>}
        <ul aria-labelledby="side-collections">
          {collections.map(({ name }) => (
            <Place
              key={name}
              href={hrefOf({ page: 'table', name, query: '' })}
              name={capitalised(inWords(name))}
              // A member's page is not the collection's, but belongs to it.
              current={here === name && (route.page === 'table' ? 'page' : 'true')}
            />
          ))}
        </ul>
        {singles.length > 0 && (
          <>
            <h2 id="side-singles">Single resources</h2>
            <ul aria-labelledby="side-singles">
              {singles.map(({ name, path }) => (
                <Place
                  key={name}
                  href={hrefOf({ page: 'member', path })}
                  name={capitalised(inWords(name))}
                  current={single?.name === name && (route.page === 'member' ? 'page' : 'true')}
                />
              ))}
            </ul>
          </>
        )}
        <h2 id="side-api">API</h2>
        <ul aria-labelledby="side-api">
          <Place
            href={hrefOf({ page: 'documentation', name: undefined })}
            name="Documentation"
            current={route.page === 'documentation' && 'page'}
          />
          <li>
            <button type="button" onClick={onOtherApi}>
              Another API …
            </button>
          </li>
        </ul>
      </div>
    </nav>
  )
}

interface PlaceProps {
  readonly href: string
  readonly name: string
  readonly current: 'page' | 'true' | false
}

function Place({ href, name, current }: PlaceProps) {
  return (
    <li>
      <a href={href} title={name} aria-current={current || undefined}>
        {name}
      </a>
    </li>
  )
}

function placeName(route: Route, here: string | undefined): string {
  if (here !== undefined) return capitalised(inWords(here))
  if (route.page === 'missing') return 'No such page'
  return route.page === 'documentation' ? 'Documentation' : 'Overview'
}
