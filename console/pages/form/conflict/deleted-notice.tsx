import { useEffect, useRef } from 'preact/hooks'
import type { ClassDescription } from '../../../../src/client/index.ts'
import { useApi } from '../../../shared/api.ts'
import { canCreate } from '../../../shared/connection/collections.ts'
import { announce } from '../../../shared/controls/announcement.ts'
import { Button } from '../../../shared/controls/button.tsx'
import { inWords, nameOf } from '../../../shared/names/naming.ts'
import { go, pathBelow } from '../../../shared/routes.ts'
import type { Form } from '../use-form.ts'

interface GoneProps {
  readonly cls: ClassDescription
  readonly form: Form
  /** What was typed is safe. */
  readonly onCreated: () => void
}

/** The member was removed while it was being changed. What was typed can become a new one. */
export function Gone({ cls, form, onCreated }: GoneProps) {
  const { client, collections, base } = useApi()
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const collection = collections.find((one) => one.memberClass?.iri === cls.iri && canCreate(one))

  const create = async (iri: string, values: Readonly<Record<string, unknown>>) => {
    const member = await client.collectionAt(iri).create(values)
    onCreated()
    announce(`${nameOf(member, cls)} was created anew.`)
    if (form.isShown()) go({ page: 'member', path: pathBelow(base, member.iri) ?? '' })
  }
  return (
    <section class="failure form-gone" ref={box} tabIndex={-1} aria-labelledby="form-gone">
      <h2 id="form-gone">Somebody has deleted it meanwhile</h2>
      <p>There is nothing left to change. What you have typed is still here.</p>
      {collection && (
        <Button
          aria-disabled={form.busy}
          onClick={() => form.submit((values) => create(collection.iri, values))}
        >
          Create it anew, as a new {inWords(cls.title)}
        </Button>
      )}
    </section>
  )
}
