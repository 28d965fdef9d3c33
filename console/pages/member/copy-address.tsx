import { useRef } from 'preact/hooks'
import { useCopying } from '../../shared/controls/copying.ts'

/** The address of a member, to be used elsewhere. */
export function CopyAddress({ iri }: { readonly iri: string }) {
  const text = useRef<HTMLElement>(null)
  const { copy, said } = useCopying(iri, text)
  return (
    <p class="member-address">
      <code ref={text}>{iri}</code>
      <button type="button" class="button quiet" onClick={copy}>
        Copy address
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </p>
  )
}
