import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { classNamed, useApi } from '../../shared/connection/index.ts'
import { hrefOf, shortName } from '../../shared/names.ts'

export const Anchors = createContext<ReadonlyMap<string, string>>(new Map())

export function ClassLink({ iri }: { iri: string }) {
  const title = classNamed(useApi(), iri)?.title ?? shortName(iri)
  const anchor = useContext(Anchors).get(iri)
  if (anchor === undefined) return <>{title}</>
  return (
    // By itself, a link to the current address would do nothing.
    <a href={hrefOf({ page: 'documentation', name: anchor })} onClick={() => reveal(anchor)}>
      {title}
    </a>
  )
}

export const headingId = (anchor: string): string => `class-${anchor}`

export function reveal(anchor: string): void {
  const heading = document.getElementById(headingId(anchor))
  for (let folded = heading?.closest('details'); folded; folded = folded.parentElement?.closest('details'))
    folded.open = true
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
