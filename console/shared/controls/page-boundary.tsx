import { Component, type ComponentChildren } from 'preact'
import type { Route } from '../routes.ts'
import { Failure } from './failure.tsx'
import { Page } from './page.tsx'

interface PageBoundaryProps {
  readonly route: Route
  readonly children: ComponentChildren
}

interface PageBoundaryState {
  /** Where it failed: on another page one begins anew. */
  readonly failedAt?: Route | undefined
  readonly error?: unknown
}

/** A page that cannot be drawn, from whatever an API has sent, takes nothing else with it. No hook can catch that. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = {}

  override componentDidCatch(error: unknown): void {
    this.setState({ failedAt: this.props.route, error })
  }

  override render({ route, children }: PageBoundaryProps, { failedAt, error }: PageBoundaryState) {
    if (failedAt !== route) return children
    return (
      <Page title="This page cannot be shown">
        <p>What the API has sent is not what this page can read. Every other page still works.</p>
        <Failure error={error} onRetry={() => this.setState({ failedAt: undefined })} />
      </Page>
    )
  }
}
