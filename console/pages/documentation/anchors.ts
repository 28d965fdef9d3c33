import { hrefOf } from '../../shared/routes.ts'

/** The link to a section of this page. */
export const hrefOfClass = (anchor: string): string => hrefOf({ page: 'documentation', name: anchor })

export const headingId = (anchor: string): string => `class-${anchor}`

/** Whoever follows a link to a class finds its heading in view, and the focus on it. */
export function reveal(anchor: string): void {
  const heading = document.getElementById(headingId(anchor))
  let folded = heading?.closest('details')
  while (folded) {
    folded.open = true
    folded = folded.parentElement?.closest('details')
  }
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
