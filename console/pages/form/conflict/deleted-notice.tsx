import { useEffect, useRef } from 'preact/hooks'
import type { ClassDescription } from '../../../../src/client/index.ts'
import { canCreate, useApi } from '../../../shared/connection/index.ts'
import { announce, Button } from '../../../shared/controls/index.ts'
import { go, inWords, nameOf, pathBelow } from '../../../shared/names/index.ts'
import type { Values } from '../../../shared/values/index.ts'
import type { Form } from '../drafts/use-form.ts'

interface DeletedNoticeProps {
  readonly cls: ClassDescription
  readonly form: Form
  readonly onCreated: () => void
}

/** The member was deleted while the form was open. What was typed can become a new one. */
export function DeletedNotice({ cls, form, onCreated }: DeletedNoticeProps) {
  const { client, collections, base } = useApi()
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const collection = collections.find((one) => one.memberClass?.iri === cls.iri && canCreate(one))

  const create = async (iri: string, values: Values) => {
    const member = await client.collectionAt(iri).create(values)
    onCreated()
    announce(`${nameOf(member, cls)} was created anew.`)
    if (form.isMounted()) go({ page: 'member', path: pathBelow(base, member.iri) ?? '' })
  }
  return (
    <section class="failure form-gone" ref={box} tabIndex={-1} aria-labelledby="form-gone">
      <h2 id="form-gone">Somebody has deleted it meanwhile</h2>
      <p>There is nothing left to change. What you have typed is still here.</p>
      {collection && (
        <Button
          label={`Create it anew, as a new ${inWords(cls.title)}`}
          aria-disabled={form.busy}
          onClick={() => form.submit((values) => create(collection.iri, values))}
        />
      )}
    </section>
  )
}
