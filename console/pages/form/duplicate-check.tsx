import { useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../src/client/index.ts'
import { useApi } from '../../shared/api.ts'
import { Button } from '../../shared/controls/button.tsx'
import { sentenceOf } from '../../shared/controls/error-sentence.ts'
import { namingProperty } from '../../shared/names/naming.ts'
import { hrefOf, pathBelow } from '../../shared/routes.ts'
import type { PropertyDraft } from './drafts/draft.ts'
import { findOptions, type Option } from './picker/picker-search.ts'

interface LookForItProps {
  readonly collection: CollectionDescription
  readonly drafts: readonly PropertyDraft[]
}

/** A create that got no answer may have happened: who repeats it blindly may have it twice. */
export function LookForIt({ collection, drafts }: LookForItProps) {
  const { client, base } = useApi()
  const [found, setFound] = useState<readonly Option[] | string>()
  const naming = namingProperty(collection.memberClass)
  const draft = drafts.find(({ property }) => property.name === naming)?.draft
  const name = draft && 'text' in draft ? draft.text : ''
  const look = () =>
    findOptions(client, collection, name, AbortSignal.timeout(10_000)).then(setFound, (error: unknown) =>
      setFound(sentenceOf(error)),
    )
  return (
    <div class="form-look">
      <p>Look before you save it again, so that it is not there twice.</p>
      <Button onClick={look}>Look whether it is there</Button>
      <div role="status">
        {typeof found === 'string' && <p>{found}</p>}
        {Array.isArray(found) && <Found options={found} base={base} />}
      </div>
    </div>
  )
}

function Found({ options, base }: { readonly options: readonly Option[]; readonly base: string }) {
  if (options.length === 0) return <p>There is nothing like it: it was not created. Save it again.</p>
  return (
    <>
      <p>These are like it. If yours is among them, it was created:</p>
      <ul>
        {options.map(({ iri, name }) => {
          const path = pathBelow(base, iri)
          return (
            <li key={iri}>
              {path === undefined ? name : <a href={hrefOf({ page: 'member', path })}>{name}</a>}
            </li>
          )
        })}
      </ul>
    </>
  )
}
