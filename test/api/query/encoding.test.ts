import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toIri } from '../../../src/api/query/encoding.ts'

// contract: **Collection**: `@type`
test('what HTTP lets through in a query but no IRI may contain is percent-encoded', () => {
  const table: [query: string, iri: string][] = [
    ['page=1&itemsPerPage=20', 'page=1&itemsPerPage=20'],
    ['order[title]=asc', 'order%5Btitle%5D=asc'],
    ['a=%5B%5b', 'a=%5B%5b'],
    ['a=100%&b=%zz', 'a=100%25&b=%25zz'],
    ['a="<>\\^`{|}#', 'a=%22%3C%3E%5C%5E%60%7B%7C%7D%23'],
    // node:http hands over each byte as a character: é is two of them.
    ['a=\u00c3\u00a9\u0080', 'a=%C3%A9%80'],
    ["a=!$'()*+,;:@/?~-._", "a=!$'()*+,;:@/?~-._"],
  ]
  for (const [query, iri] of table) assert.equal(toIri(query), iri)
})
