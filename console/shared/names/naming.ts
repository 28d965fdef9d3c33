import type { ClassDescription, Member } from '../../../src/client/index.ts'

/** Naming properties of public vocabularies, the best first. */
const NAMES = [
  'http://schema.org/name',
  'https://schema.org/name',
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://purl.org/dc/terms/title',
  'http://xmlns.com/foaf/0.1/name',
]
const WORDS = /^(name|title|label|headline|subject)$/i

export function namingProperty(cls: ClassDescription | undefined): string | undefined {
  const texts = cls?.properties.filter(
    ({ isLink, many, range }) => !isLink && !many && /#string$/.test(range ?? ''),
  )
  const found =
    texts?.find(({ iri }) => NAMES.includes(iri)) ?? texts?.find(({ name }) => WORDS.test(name)) ?? texts?.[0]
  return found?.name
}

export const nameOf = (
  { data, iri }: Pick<Member, 'data' | 'iri'>,
  cls: ClassDescription | undefined,
): string => ownName(data, cls) ?? shortName(iri)

export function ownName(data: Member['data'], cls: ClassDescription | undefined): string | undefined {
  const property = namingProperty(cls)
  const value = property === undefined ? undefined : data[property]
  return typeof value === 'string' && value.trim() ? value : undefined
}

export const shortName = (iri: string): string => decode(iri.split(/[/#]/).findLast(Boolean) ?? iri)

export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `createdAt` → `created at`. */
export const inWords = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `createdAt` → `Created at`. */
export const titleOf = (name: string): string => capitalised(inWords(name))

export function linkIn(value: unknown, at: string): string | undefined {
  const link = typeof value === 'object' && value && '@id' in value ? value['@id'] : value
  return typeof link === 'string' ? (URL.parse(link, at)?.href ?? link) : undefined
}
