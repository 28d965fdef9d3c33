import type { ClassDescription, PropertyDescription } from '../../../../src/client/index.ts'
import { useMemberName } from '../../../shared/names/member-names.ts'
import { capitalised, inWords } from '../../../shared/names/naming.ts'
import { kindOf } from '../../../shared/values/kinds.ts'
import { PlainValue } from '../../../shared/values/value.tsx'
import { labelOf } from '../drafts/field-ids.ts'
import { eachOnce, isObject, valueIn } from '../drafts/kinds.ts'

interface FixedValuesProps {
  readonly cls: ClassDescription
  readonly data: Readonly<Record<string, unknown>>
}

/** What only the server writes. */
export function FixedValues({ cls, data }: FixedValuesProps) {
  const fixed = eachOnce(cls).filter(
    (property) => !property.writable && valueIn(data, property.name) !== undefined,
  )
  if (fixed.length === 0) return null
  return (
    <dl class="form-fixed">
      {fixed.map((property) => (
        <div key={property.name}>
          <dt>{labelOf(property)}</dt>
          <dd>
            <Fixed value={valueIn(data, property.name)} property={property} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Fixed({ value, property }: { readonly value: unknown; readonly property: PropertyDescription }) {
  if (property.isLink || typeof value === 'object')
    return <ValueText value={value} isLink={property.isLink} />
  return <PlainValue value={value} kind={kindOf(property)} />
}

interface ValueTextProps {
  readonly value: unknown
  readonly isLink: boolean
}

/** A value to be read, not to be changed. */
export function ValueText({ value, isLink }: ValueTextProps) {
  if (value === undefined || value === null) return <span class="form-none">No value</span>
  if (Array.isArray(value)) {
    return (
      <ul class="form-values">
        {value.map((one, index) => (
          <li key={String(index)}>
            <ValueText value={one} isLink={isLink} />
          </li>
        ))}
      </ul>
    )
  }
  if (isLink && typeof value === 'string') return <LinkedName iri={value} />
  if (isLink && isObject(value) && typeof value['@id'] === 'string') return <LinkedName iri={value['@id']} />
  if (isObject(value)) return <Parts value={value} />
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  return <span class="form-text">{String(value)}</span>
}

function Parts({ value }: { readonly value: Readonly<Record<string, unknown>> }) {
  const parts = Object.entries(value).filter(([name]) => !name.startsWith('@'))
  return (
    <ul class="form-values">
      {parts.map(([name, part]) => (
        <li key={name}>
          <span class="form-part">{capitalised(inWords(name))}:</span>{' '}
          <ValueText value={part} isLink={false} />
        </li>
      ))}
    </ul>
  )
}

function LinkedName({ iri }: { readonly iri: string }) {
  return <span title={iri}>{useMemberName(iri)}</span>
}
