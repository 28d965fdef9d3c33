import { extname } from 'node:path'

/** How bulk data is written: a member on each line, or one JSON-LD document. */
export type Format = 'ndjson' | 'jsonld'

const BY_ENDING: ReadonlyMap<string, Format> = new Map([
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.jsonld', 'jsonld'],
  ['.json', 'jsonld'],
])

export const ENDINGS = [...BY_ENDING.keys()]

/** What the ending of a file's name says; undefined where it says nothing. */
export const formatOf = (path: string): Format | undefined => BY_ENDING.get(extname(path).toLowerCase())
