import type {
  ClassDescription,
  CollectionDescription,
  Documentation,
  OperationDescription,
  PropertyConstraints,
  PropertyDescription,
} from 'hydrant-client'
import type { RecordedRequest } from '../../shared/connection/index.ts'
import { wordsOf } from '../../shared/names.ts'
import { embeddedClass, type Kind, typedKindOf, type ValuesByName } from '../../shared/values.ts'

/** `known`: addresses of members that this page has read, so that examples can use them. */
export interface ExampleSources {
  readonly documentation: Documentation
  readonly collections: readonly CollectionDescription[]
  readonly known: readonly string[]
  readonly isProtected: boolean
}

export function exampleOf(
  operation: OperationDescription,
  address: string,
  api: ExampleSources,
): RecordedRequest {
  const { method, expects, contentType } = operation
  const cls = api.documentation.classes.find(({ iri }) => iri === expects)
  const isPatch = method === 'PATCH'
  const body = cls?.properties.length ? bodyOf(cls, api, isPatch) : undefined
  const type = contentType ?? (isPatch ? 'application/merge-patch+json' : 'application/ld+json')
  return {
    method,
    url: address,
    requestHeaders: {
      ...(api.isProtected && { 'X-Authorization': '' }),
      ...(body && { 'Content-Type': type }),
    },
    requestBody: body && JSON.stringify(body, null, 2),
  }
}

/** The address of a member that has been read, or else a placeholder. */
export const memberAddress = ({ iri }: CollectionDescription, known: readonly string[]): string =>
  known.find((one) => one.startsWith(`${iri}/`)) ?? `${iri}/ID`

/** Required properties, and optional ones with a plausible value. A patch changes one property, a text if there is one. */
export function bodyOf(cls: ClassDescription, api: ExampleSources, isPatch = false, depth = 0): ValuesByName {
  const writable = cls.properties.filter(({ writable }) => writable)
  const wanted = writable.filter(({ required, constraints, example, range, isLink }) => {
    const isUnknown = isLink && !api.known.includes(linkTo(range, api) ?? '')
    return (
      required || ((constraints.pattern === undefined || example !== undefined) && !isUnknown && depth <= 1)
    )
  })
  const changed = wanted.find((property) => typedKindOf(property, api.documentation) === 'text') ?? wanted[0]
  return Object.fromEntries(
    (isPatch ? wanted.filter((one) => one === changed) : wanted).map((property) => {
      const value = exampleValue(property, api, depth)
      return [
        property.name,
        property.many && typedKindOf(property, api.documentation) !== 'languages' ? [value] : value,
      ]
    }),
  )
}

function linkTo(range: string | undefined, api: ExampleSources): string | undefined {
  const collection = api.collections.find(({ memberClass }) => memberClass?.iri === range)
  return collection && memberAddress(collection, api.known)
}

const FIXED: Partial<Record<Kind, unknown>> = {
  boolean: true,
  date: '2026-01-31',
  dateTime: '2026-01-31T12:00:00Z',
  time: '12:30:00',
  duration: 'PT2H30M',
}

const ADDRESS = 'https://example.org/'

function exampleValue(property: PropertyDescription, api: ExampleSources, depth: number): unknown {
  const { constraints } = property
  if (property.example !== undefined) return property.example
  const { values, minimum, maximum, maxLength = ADDRESS.length } = constraints
  if (values?.length) return values[0]
  const kind = typedKindOf(property, api.documentation)
  const text = ofLength(constraints, `Example ${wordsOf(property)}`, '.')
  const number = minimum ?? Math.min(Number(maximum ?? 1), 1)
  switch (kind) {
    case 'integer':
    case 'double':
      return Number(number)
    case 'decimal':
      return String(number)
    case 'languages':
      return { en: text }
    case 'link':
      return linkTo(property.range, api) ?? ADDRESS
    case 'iri':
      return ofLength(constraints, maxLength < ADDRESS.length ? 'urn:example' : ADDRESS, 'a')
    case 'embedded': {
      const cls = embeddedClass(property, api.documentation)
      return cls && depth < 4 ? bodyOf(cls, api, false, depth + 1) : {}
    }
    default:
      return FIXED[kind] ?? text
  }
}

/** Counts characters, not UTF-16 units: the server refuses half a surrogate pair. */
function ofLength({ minLength = 0, maxLength }: PropertyConstraints, text: string, filling: string): string {
  const characters = [...text].slice(0, maxLength)
  return characters.join('') + filling.repeat(Math.max(0, minLength - characters.length))
}
