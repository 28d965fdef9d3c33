import { hrefOf } from '../routes.ts'

/** The link to a section of this page. */
export const hrefOfClass = (anchor: string): string => hrefOf({ page: 'documentation', name: anchor })

export const headingId = (anchor: string): string => `class-${anchor}`

/** Whoever follows a link to a class finds its heading in view, and the focus on it. */
export function reveal(anchor: string): void {
  const heading = document.getElementById(headingId(anchor))
  const folded = heading?.closest('details')
  if (folded) folded.open = true
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
