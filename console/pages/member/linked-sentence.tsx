import { useApi } from '../../shared/api.ts'
import { useKnownNames } from '../../shared/names/names.ts'
import { shortName } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import { splitAddresses } from './addresses.ts'

/** A sentence of the API, in which the members that it names by their addresses are links. */
export function LinkedSentence({ text }: { readonly text: string }) {
  const { base } = useApi()
  const names = useKnownNames()
  return (
    <span>
      {splitAddresses(text).map((part, index) => {
        const path = pathBelow(base, part)
        if (path === undefined) return part
        return (
          <a key={String(index)} href={hrefOf({ page: 'member', path })} title={part}>
            {names.get(part) ?? shortName(part)}
          </a>
        )
      })}
    </span>
  )
}
