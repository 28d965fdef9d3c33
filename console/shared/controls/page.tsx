import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { scrollTo } from './scrolling.ts'

interface PageProps {
  readonly title: string
  /** What stands beside the title. */
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A page of the console. Who follows a link finds the focus on its title: a screen reader begins there. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Hydrant console`
  }, [title])
  useEffect(() => {
    scrollTo(0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <main class="page" id="main">
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  )
}
