import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLinks } from '../../../../../console/pages/table/export/csv-pages.ts'

test('the links of a page of CSV say where it continues, and what is left out', () => {
  const header = [
    '<http://a/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
    '<http://a/books?after=x,y>; rel="next"',
    '<http://a/books>; rel="alternate"; type="application/ld+json"; left-out="lines author"',
  ]
  const [, next, alternate] = readLinks(header.join(', '))
  assert.deepEqual(next, { address: 'http://a/books?after=x,y', relation: 'next', leftOut: undefined })
  assert.equal(alternate?.leftOut, 'lines author')
  const [encoded] = readLinks(`<>; rel="alternate"; left-out*=UTF-8''gr%C3%B6%C3%9Fen%20a`)
  assert.equal(encoded?.leftOut, 'größen a')
  assert.deepEqual(readLinks(''), [])
})
