import { classNamed, useApi } from '../../shared/api.ts'
import { shortName } from '../../shared/names/naming.ts'
import { hrefOfClass, reveal } from './anchors.ts'

/** Sections of this page, by the IRI of their class. */
export type Anchors = ReadonlyMap<string, string>

interface ClassNameProps {
  readonly iri: string
  readonly anchors: Anchors
}

/** The name of a class, and the way to its section. */
export function ClassName({ iri, anchors }: ClassNameProps) {
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
