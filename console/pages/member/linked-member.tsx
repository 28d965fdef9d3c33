import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useApi } from '../../shared/api.ts'
import { useKnownNames, useLinkName } from '../../shared/names/names.ts'
import { shortName } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import { ElsewhereLink } from '../../shared/values/cell.tsx'

/** Links whose names are asked for without being told to. */
export const NamedLinks = createContext<ReadonlySet<string>>(new Set())

interface LinkedMemberProps {
  readonly iri: string
  /** Where the value brings its name along. */
  readonly known: string | undefined
  readonly isWanted: boolean
}

/** A link to another member, by its name. */
export function LinkedMember({ iri, known, isWanted }: LinkedMemberProps) {
  const { base, collections } = useApi()
  const asks = useContext(NamedLinks).has(iri) || isWanted
  const remembered = useKnownNames().get(iri)
  const name = useLinkName(iri, known ?? remembered ?? (asks ? undefined : shortName(iri)))
  const collection = collections.find((one) => one.iri === iri)
  const path = pathBelow(base, iri)
  if (path === undefined) return <ElsewhereLink iri={iri}>{iri}</ElsewhereLink>
  const route = collection
    ? ({ page: 'table', name: collection.name, query: '' } as const)
    : ({ page: 'member', path } as const)
  return (
    <a href={hrefOf(route)} title={iri}>
      {name}
    </a>
  )
}
