import type { ComponentChildren } from 'preact'
import { useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isForbidden, type RemoteChange, sentenceOf, useApi } from '../connection/index.ts'
import { addressBelow, hrefOf, type Route } from '../names.ts'
import { useLoading } from '../state.ts'
import { Button } from './controls.tsx'
import { scrollTo } from './focus.ts'

/** A page of the console. The focus moves to its title, where a screen reader starts to read. */
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

const REMOTE_CHANGES: Readonly<Record<RemoteChange, string>> = {
  create: 'Someone has created it.',
  update: 'Someone has changed it.',
  delete: 'Someone has deleted it.',
  missed: 'Someone may have changed it.',
}

interface RemoteChangeNoteProps {
  readonly change: RemoteChange | undefined
  readonly onReload?: () => void
}

/** What others did to the resource of the page. Without `onReload` it says what saving will do. */
export const RemoteChangeNote = ({ change, onReload }: RemoteChangeNoteProps) => (
  <span class="remote-changes" role="status">
    {change && REMOTE_CHANGES[change]}
    {change && onReload && <Button label="Reload" class="quiet" onClick={onReload} />}
    {change &&
      !onReload &&
      (change === 'delete' ? ' Save to see your options.' : ' Save to compare the two versions.')}
  </span>
)

export const Failure = ({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) => (
  <div class="failure" role="alert">
    <p>{sentenceOf(error)}</p>
    {onRetry && !isForbidden(error) && <Button onClick={onRetry}>Try again</Button>}
  </div>
)

/** The API does not offer the collection `name` to this user. Shows the API's own reason, if it has one. */
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
      <PageLink route={{ page: 'home' }}>Go to the overview</PageLink>
    </Page>
  )
}

export const PageLink = ({ route, children }: { route: Route; children: ComponentChildren }) => (
  <p>
    <a href={hrefOf(route)}>{children}</a>
  </p>
)

export const MissingPage = ({ path }: { path: string }) => (
  <Page title="Page not found">
    <p>
      There is no page at <code>#/{path}</code>.
    </p>
    <PageLink route={{ page: 'home' }}>Go to the overview</PageLink>
  </Page>
)

/** If a page cannot be rendered, whatever the API has sent, the rest of the console still works. */
export function PageBoundary({ route, children }: { route: Route; children: ComponentChildren }) {
  const [failure, setFailure] = useState<{ readonly at: Route; readonly error: unknown }>()
  useErrorBoundary((error: unknown) => setFailure({ at: route, error }))
  if (failure?.at !== route) return <>{children}</>
  return (
    <Page title="This page cannot be shown">
      <p>The API sent something that this page cannot show. The other pages still work.</p>
      <Failure error={failure.error} onRetry={() => setFailure(undefined)} />
    </Page>
  )
}
