import type { ComponentChildren } from 'preact'
import { useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isForbidden, sentenceOf, useApi } from '../connection/index.ts'
import { addressBelow, hrefOf, type Route } from '../names.ts'
import { useLoading } from '../state.ts'
import { Button } from './controls.tsx'
import { scrollTo } from './focus.ts'

/** A page of the console. The focus goes to its title: a screen reader begins there. */
export function Page(props: { title: string; actions?: ComponentChildren; children?: ComponentChildren }) {
  const { title, actions, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  useLayoutEffect(() => {
    scrollTo(0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <main class="page" id="main">
      <header class="page-head row">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  )
}

export function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = `${title} · Hydrant console`
  }, [title])
}

/** A line that a screen reader reads out whenever it changes. */
export const Status = (props: { class?: string; children?: ComponentChildren }) => (
  <p class={props.class ?? 'hint'} role="status">
    {props.children}
  </p>
)

const MEANWHILE: Readonly<Record<string, string>> = {
  update: 'Changed meanwhile.',
  delete: 'Deleted meanwhile.',
  missed: 'It may have changed meanwhile.',
}

/** What others have done to what the page shows. Without `onReload` it says what saving will do. */
export const OtherNote = ({ other, onReload }: { other: string | undefined; onReload?: () => void }) => (
  <span class="others" role="status">
    {other && MEANWHILE[other]}
    {other && onReload && <Button label="Reload" class="quiet" onClick={onReload} />}
    {other && !onReload && (other === 'delete' ? ' Save says what can be done.' : ' Save compares the two.')}
  </span>
)

export const Failure = ({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) => (
  <div class="failure" role="alert">
    <p>{sentenceOf(error)}</p>
    {onRetry && !isForbidden(error) && <Button onClick={onRetry}>Try again</Button>}
  </div>
)

/** The collection `name` is not offered to this user: the page has the API's own reason where there is one. */
export function NotOffered(props: { title: string; name: string; children: ComponentChildren }) {
  const { title, name, children } = props
  const { client, base, collections } = useApi()
  const isKnown = collections.some((one) => one.name === name)
  const { error } = useLoading(
    async (signal) => (isKnown ? undefined : client.get(addressBelow(base, name), { signal })),
    [name],
  )
  return (
    <Page title={title}>
      {isForbidden(error) ? <Failure error={error} /> : <p>{children}</p>}
      <WayTo route={{ page: 'home' }}>See what it has</WayTo>
    </Page>
  )
}

export const WayTo = ({ route, children }: { route: Route; children: ComponentChildren }) => (
  <p>
    <a href={hrefOf(route)}>{children}</a>
  </p>
)

export const MissingPage = ({ path }: { path: string }) => (
  <Page title="There is no such page">
    <p>
      The console has nothing at <code>#/{path}</code>.
    </p>
    <WayTo route={{ page: 'home' }}>Go to the overview</WayTo>
  </Page>
)

/** A page that cannot be drawn, whatever the API has sent, leaves the rest intact. */
export function PageBoundary({ route, children }: { route: Route; children: ComponentChildren }) {
  const [failure, setFailure] = useState<{ readonly at: Route; readonly error: unknown }>()
  useErrorBoundary((error: unknown) => setFailure({ at: route, error }))
  if (failure?.at !== route) return <>{children}</>
  return (
    <Page title="This page cannot be shown">
      <p>The API sent something that this page cannot show. Every other page still works.</p>
      <Failure error={failure.error} onRetry={() => setFailure(undefined)} />
    </Page>
  )
}
