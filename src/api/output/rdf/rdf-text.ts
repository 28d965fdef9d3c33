import { HttpError, unavailable } from '../../../errors.ts'
import { LD_JSON } from '../../../http/response.ts'
import { HYDRA, OWL, RDF, RDFS, SCHEMA, SH, XSD } from '../../../vocabulary/namespaces.ts'
import { createToRdf, type RdfType } from './rdf.ts'

/** JSON-LD text in another form of RDF. */
export type ToRdf = (text: string, mediaType: RdfType) => Promise<string>

/** The names that these namespaces usually have. */
const PREFIXES = [
  ['hydra', HYDRA],
  ['rdf', RDF],
  ['rdfs', RDFS],
  ['xsd', XSD],
  ['owl', OWL],
  ['sh', SH],
  ['schema', SCHEMA],
  ['schema', 'http://schema.org/'],
] as const

export function createRdfText(): ToRdf {
  const toRdf = createToRdf()
  return (text, mediaType) => toRdf({ text, mediaType, prefixes: PREFIXES })
}

/** Pages are cut so that their members have no more, which takes about two seconds of another thread. */
export const LONGEST_PAGE = 4 * 1024 * 1024
/** Beyond what a page and all around its members have: one member that does not fit a page of its own. */
const LONGEST = 2 * LONGEST_PAGE
const MOST_WAITING = 32 * 1024 * 1024

/** The work that reads can cause has an end, and so has what waits for it in memory. */
export function withLimit(toRdf: ToRdf): ToRdf {
  let waiting = 0
  return async (text, mediaType) => {
    if (text.length > LONGEST)
      throw new HttpError(406, `This is too long to be sent as ${mediaType}; ask for ${LD_JSON}.`)
    if (waiting + text.length > MOST_WAITING)
      throw unavailable(
        `Too much is being sent as ${mediaType} just now; try again, or ask for ${LD_JSON}.`,
        2,
      )
    waiting += text.length
    try {
      return await toRdf(text, mediaType)
    } finally {
      waiting -= text.length
    }
  }
}

/** For one text that never changes. A failure is not remembered. */
export function withMemory(toRdf: ToRdf): ToRdf {
  const texts = new Map<RdfType, string>()
  return async (text, mediaType) => {
    const known = texts.get(mediaType) ?? (await toRdf(text, mediaType))
    texts.set(mediaType, known)
    return known
  }
}
