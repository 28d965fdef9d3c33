import { isClassName } from '../names.ts'
import { HYDRA } from '../namespaces.ts'

/** The last part of an IRI, as a name: `http://example.org/vocab#Drone/speed` → `speed`. */
export function lastPart(iri: string): string {
  let end = iri.length
  while (iri[end - 1] === '#' || iri[end - 1] === '/') end--
  const parts = iri.slice(0, end).split(/[#/:?]/)
  const part = parts.at(-1) ?? ''
  try {
    return decodeURIComponent(part).normalize('NFC')
  } catch {
    return part
  }
}

/** Whether it names this term of Hydra; some documents forget that `@id` is not looked up in their vocabulary. */
export const isHydraTerm = (iri: string, term: string, known: (iri: string) => boolean): boolean =>
  iri === HYDRA + term || (lastPart(iri) === term && !known(iri))

/** Of the names that a document gives, the first that can be a class's: letters and digits, a capital first. */
export function classNameOf(candidates: readonly (string | undefined)[]): string | undefined {
  for (const candidate of candidates) {
    const words = candidate?.normalize('NFC').split(/[_-]+/) ?? []
    const name = words.map((word) => word.replace(/^\p{CWT}/u, (first) => first.toUpperCase())).join('')
    if (/^\p{L}/u.test(words[0] ?? '') && isClassName(name)) return name
  }
  return undefined
}

/** The path of a class in the document, for messages. */
export const classPath = (name: string) => `supportedClass ${quoted(name)}`

export const propertyPath = (className: string, name: string) =>
  `${classPath(className)}, supportedProperty ${quoted(name)}`

/** Never longer than a line: a document may call anything by any name. */
export const quoted = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
