import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { Literal, useMemberName } from '../../../shared/controls/index.ts'
import { labelOf, titleOf } from '../../../shared/names.ts'
import { isObject, kindOf, type ValuesByName, valueIn } from '../../../shared/values.ts'
import { eachOnce } from '../drafts/draft.ts'

export function ReadOnlyValues({ cls, data }: { cls: ClassDescription; data: ValuesByName }) {
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
            <ReadOnlyValue value={valueIn(data, property.name)} property={property} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function ReadOnlyValue({ value, property }: { value: unknown; property: PropertyDescription }) {
  if (property.isLink || typeof value === 'object')
    return <ValueText value={value} isLink={property.isLink} />
  return <Literal value={value} kind={kindOf(property)} property={property} />
}

export function ValueText({ value, isLink }: { value: unknown; isLink: boolean }) {
  if (value === undefined || value === null) return <span class="form-none">No value</span>
  const link = isLink && isObject(value) ? value['@id'] : value
  if (isLink && typeof link === 'string') return <LinkedName iri={link} />
  if (typeof value === 'object') {
    const isList = Array.isArray(value)
    const parts = Object.entries(value).filter(([name]) => !name.startsWith('@'))
    return (
      <ul class="bullets">
        {parts.map(([name, part]) => (
          <li key={name}>
            {!isList && <span class="soft">{titleOf(name)}:</span>}{' '}
            <ValueText value={part} isLink={isLink && isList} />
          </li>
        ))}
      </ul>
    )
  }
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  return <span class="form-text">{String(value)}</span>
}

const LinkedName = ({ iri }: { iri: string }) => <span title={iri}>{useMemberName(iri)}</span>
