import { ElsewhereLink } from './cell.tsx'
import type { Kind } from './kinds.ts'
import { textOf } from './value-text.ts'

interface PlainValueProps {
  readonly value: unknown
  readonly kind: Kind
}

/** A value that is neither a link nor has properties of its own. */
export function PlainValue({ value, kind }: PlainValueProps) {
  if (kind === 'languages' && typeof value === 'object' && value) return <Languages texts={value} />
  const text = textOf(value, kind)
  if (kind === 'address') return <ElsewhereLink iri={text}>{text}</ElsewhereLink>
  if (kind !== 'date' && kind !== 'dateTime') return <span class="member-text">{text}</span>
  return (
    <time dateTime={String(value)} title={String(value)}>
      {text}
    </time>
  )
}

const Languages = ({ texts }: { readonly texts: object }) => (
  <dl class="member-languages">
    {Object.entries(texts).map(([language, text]) => (
      <div key={language}>
        <dt class="badge">{language}</dt>
        <dd class="member-text" lang={language}>
          {textOf(text, 'text')}
        </dd>
      </div>
    ))}
  </dl>
)
