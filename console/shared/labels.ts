import type { ClassDescription, Member, PropertyDescription, SearchQuery } from 'hydrant-client'
import { shortName } from './names.ts'
import { isNumber, isObject, kindOf, textOf, type ValuesByName, valueIn } from './values.ts'

/** Properties of public vocabularies that name things, the best first. */
const NAMES = [
  'http://schema.org/name',
  'https://schema.org/name',
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://purl.org/dc/terms/title',
  'http://xmlns.com/foaf/0.1/name',
]
const WORDS = /^(name|title|label|headline|subject)$/i

const isText = ({ range, isLink }: PropertyDescription): boolean => !isLink && /#string$/.test(range ?? '')

/** The properties whose values name a member (asking.md, Labels). For an API that does not say, a likely one. */
export function labelProperties(cls: ClassDescription | undefined): readonly PropertyDescription[] {
  const { label = [], properties = [] } = cls ?? {}
  // The API may have left out properties that this user may not see.
  const told = label.flatMap((iri) => properties.find((property) => property.iri === iri) ?? [])
  return told.length > 0 ? told : likelyLabel(properties)
}

function likelyLabel(properties: readonly PropertyDescription[]): readonly PropertyDescription[] {
  const single = properties.filter(({ isLink, many }) => !isLink && !many)
  const texts = single.filter(isText)
  const found =
    texts.find(({ iri }) => NAMES.includes(iri)) ??
    texts.find(({ name }) => WORDS.test(name)) ??
    // Not one of a few values, which members share, and not a text of several lines.
    texts.find(({ constraints: { values, multiline } }) => !values && !multiline) ??
    single.find(({ constraints, range }) => constraints.unique && /integer$/i.test(range ?? ''))
  return found ? [found] : []
}

/** The text of the label that people type and search for; if it has no text, its only property. */
export function namingProperty(cls: ClassDescription | undefined): string | undefined {
  const label = labelProperties(cls)
  const found = label.find(isText) ?? (label.length === 1 ? label[0] : undefined)
  return found?.isLink ? undefined : found?.name
}

/** The texts of the label, and those in the labels that it links to: paths such as `customer.name`. */
export const namingPaths = (
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
): readonly string[] =>
  labelProperties(cls).flatMap((property) => {
    if (!property.isLink) return isText(property) ? property.name : []
    const target = classes.find(({ iri }) => iri === property.range)
    return labelProperties(target).flatMap((one) => (isText(one) ? `${property.name}.${one.name}` : []))
  })

/** The links in the label, whose targets have to be included to name a member. */
export const labelLinks = (cls: ClassDescription | undefined): readonly string[] =>
  labelProperties(cls).flatMap(({ isLink, name }) => (isLink ? name : []))

/** A query that includes them. */
export function withLabelLinks(
  query: SearchQuery | undefined,
  cls: ClassDescription | undefined,
): SearchQuery | undefined {
  const include = labelLinks(cls)
  return include.length > 0 ? { ...query, include } : query
}

type NameableMember = Pick<Member, 'iri'> & { readonly data: ValuesByName }
type Classes = readonly ClassDescription[]

export const nameOf = (
  { data, iri }: NameableMember,
  cls: ClassDescription | undefined,
  classes: Classes,
): string => ownName(data, cls, classes) ?? shortName(iri)

/** The label of a member. A link stands for the texts in the label of its target, if that is included. */
export function ownName(
  data: ValuesByName,
  cls: ClassDescription | undefined,
  classes: Classes,
): string | undefined {
  const parts = labelProperties(cls).map((property) => {
    const value = valueIn(data, property.name)
    if (!property.isLink) return partText(value, property)
    const target = classes.find(({ iri }) => iri === property.range)
    return isObject(value) ? ownTexts(value, target) : ''
  })
  return joined(parts) || undefined
}

/** The links of the target are left out, so that a label stays short. */
const ownTexts = (data: ValuesByName, cls: ClassDescription | undefined): string =>
  joined(
    labelProperties(cls).map((property) =>
      property.isLink ? '' : partText(valueIn(data, property.name), property),
    ),
  )

const joined = (parts: readonly string[]): string => parts.filter(Boolean).join(' ')

function partText(value: unknown, property: PropertyDescription): string {
  const kind = kindOf(property)
  if (typeof value === 'object' && kind !== 'languages') return ''
  // A number in a label identifies something, so it has no separators.
  const text = textOf(value, isNumber(kind) ? 'text' : kind)
  return text.trim() && text
}

/** Labels to remember: those of which no part is missing because a linked member was not included. */
export const namesOf = (
  members: readonly NameableMember[],
  cls: ClassDescription | undefined,
  classes: Classes,
) =>
  members
    .filter(({ data }) => labelLinks(cls).every((name) => typeof valueIn(data, name) !== 'string'))
    .map(({ iri, data }) => [iri, ownName(data, cls, classes)] as const)
