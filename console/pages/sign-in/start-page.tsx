import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface StartPageProps {
  readonly title: string
  readonly notice?: string
  readonly children: ComponentChildren
}

/** What one sees while no API is open: one card in the middle. */
export function StartPage({ title, notice = '', children }: StartPageProps) {
  useEffect(() => {
    document.title = `${title} · Hydrant console`
  }, [title])
  return (
    <main class="start">
      <p class="start-brand">
        <img src="icon.svg" alt="" width="28" height="28" />
        Hydrant console
      </p>
      <div class="start-notice" role="status">
        {notice && <p>{notice}</p>}
      </div>
      <div class="card start-card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
