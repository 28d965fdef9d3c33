import { API_FILE } from './hypermedia-api-file.ts'
import { RESOURCES } from './hypermedia-resources.ts'
import { WRITING } from './hypermedia-writing.ts'
import type { Row } from './table.ts'

/** docs/contract/hypermedia.md, sentence by sentence, in three parts by its headings. */
export const HYPERMEDIA: readonly Row[] = [...API_FILE, ...RESOURCES, ...WRITING]
