import { classNamed, useApi } from '../../shared/connection/index.ts'
import { hrefOf, shortName } from '../../shared/names/index.ts'

/** Sections of this page, by the IRI of their class. */
export type Anchors = ReadonlyMap<string, string>

export function ClassName({ iri, anchors }: { readonly iri: string; readonly anchors: Anchors }) {
  const title = classNamed(useApi(), iri)?.title ?? shortName(iri)
  const anchor = anchors.get(iri)
  if (anchor === undefined) return <>{title}</>
  return (
    // The address may be this one already: then nothing else would happen.
    <a href={hrefOfClass(anchor)} onClick={() => reveal(anchor)}>
      {title}
    </a>
  )
}

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
