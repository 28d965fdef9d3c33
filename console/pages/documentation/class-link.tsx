import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { classNamed, useApi } from '../../shared/connection/index.ts'
import { hrefOf, shortName } from '../../shared/names/index.ts'

/** The sections of the page, by the IRI of their class. */
export const Anchors = createContext<ReadonlyMap<string, string>>(new Map())

/** The name of a class; where the page has a section about it, a link. */
export function ClassLink({ iri }: { readonly iri: string }) {
  const title = classNamed(useApi(), iri)?.title ?? shortName(iri)
  const anchor = useContext(Anchors).get(iri)
  if (anchor === undefined) return <>{title}</>
  return (
    // A click on a link to the present address would do nothing by itself.
    <a href={hrefOfClass(anchor)} onClick={() => reveal(anchor)}>
      {title}
    </a>
  )
}

export const hrefOfClass = (anchor: string): string => hrefOf({ page: 'documentation', name: anchor })

export const headingId = (anchor: string): string => `class-${anchor}`

/** Brings the heading of a class into view, and moves the focus to it. */
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
