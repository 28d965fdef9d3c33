import { useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../src/client/index.ts'
import { sentenceOf, useApi } from '../../shared/connection/index.ts'
import { Button, MemberLink } from '../../shared/controls/index.ts'
import { namingProperty } from '../../shared/names/index.ts'
import type { PropertyDraft } from './drafts/draft.ts'
import { findOptions, type PickerOption } from './picker/picker-search.ts'

interface DuplicateCheckProps {
  readonly collection: CollectionDescription
  readonly drafts: readonly PropertyDraft[]
}

/** A create without an answer may have happened: repeated blindly, it may create the member twice. */
export function DuplicateCheck({ collection, drafts }: DuplicateCheckProps) {
  const { client } = useApi()
  const [found, setFound] = useState<readonly PickerOption[] | string>()
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
        {Array.isArray(found) && <Found options={found} />}
      </div>
    </div>
  )
}

function Found({ options }: { readonly options: readonly PickerOption[] }) {
  if (options.length === 0) return <p>There is nothing like it: it was not created. Save it again.</p>
  return (
    <>
      <p>These are like it. If yours is among them, it was created:</p>
      <ul>
        {options.map(({ iri, name }) => (
          <li key={iri}>
            <MemberLink iri={iri}>{name}</MemberLink>
          </li>
        ))}
      </ul>
    </>
  )
}
