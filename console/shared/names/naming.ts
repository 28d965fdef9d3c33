import type { ClassDescription, Member } from '../../../src/client/index.ts'

/** Properties that name a thing, in public vocabularies and in plain words; the best first. */
const NAMES = [
  'http://schema.org/name',
  'https://schema.org/name',
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://purl.org/dc/terms/title',
  'http://xmlns.com/foaf/0.1/name',
]
const WORDS = /^(name|title|label|headline|subject)$/i

/** The property whose value people know a member by. */
export function namingProperty(cls: ClassDescription | undefined): string | undefined {
  const texts = cls?.properties.filter(
    ({ isLink, many, range }) => !isLink && !many && /#string$/.test(range ?? ''),
  )
  const found =
    texts?.find(({ iri }) => NAMES.includes(iri)) ?? texts?.find(({ name }) => WORDS.test(name)) ?? texts?.[0]
  return found?.name
}

/** What people call a member; the last part of its address where it has no name. */
export const nameOf = (
  { data, iri }: Pick<Member, 'data' | 'iri'>,
  cls: ClassDescription | undefined,
): string => ownName(data, cls) ?? shortName(iri)

/** The name that a member has itself. */
export function ownName(data: Member['data'], cls: ClassDescription | undefined): string | undefined {
  const property = namingProperty(cls)
  const value = property === undefined ? undefined : data[property]
  return typeof value === 'string' && value.trim() ? value : undefined
}

/** The last part of an address. */
export function shortName(iri: string): string {
  const last = iri.split(/[/#]/).findLast(Boolean) ?? iri
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** `createdAt` → `created at`, for people. */
export const inWords = (name: string): string =>
  name
    .replaceAll(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
