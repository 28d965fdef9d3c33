import jsonld from 'jsonld'
import { HYDRA, RDF, XSD } from '../../src/vocabulary/index.ts'

/** Generic processors fetch contexts without credentials, so nothing that is served may make them fetch (hypermedia.md). */
async function refuse(url: string): Promise<never> {
  throw new Error(`The processor wanted to fetch ${url}`)
}

/** `safe`: a key that means nothing as RDF is an error, where it would otherwise be dropped in silence. */
const OPTIONS = { documentLoader: refuse, safe: true }

/** The RDF of a JSON-LD document, canonical (RDFC-1.0): equal graphs give equal lines. */
export async function quadsOf(document: object): Promise<string[]> {
  const text = (await jsonld.canonize(
    document as never,
    {
      ...OPTIONS,
      algorithm: 'RDFC-1.0',
      format: 'application/n-quads',
    } as never,
  )) as unknown as string
  return text.split('\n').filter((line) => line !== '')
}

export const hydra = (name: string) => HYDRA + name
export const rdf = (name: string) => RDF + name
export const xsd = (name: string) => XSD + name

/** One line of N-Quads about an address; `object` is in its final form. */
export const quad = (subject: string, predicate: string, object: string) =>
  `<${subject}> <${predicate}> ${object} .`

export const literal = (text: string, datatype?: string) =>
  JSON.stringify(text) + (datatype === undefined ? '' : `^^<${xsd(datatype)}>`)
