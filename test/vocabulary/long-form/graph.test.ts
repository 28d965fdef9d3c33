import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentNode, graphOf } from '../../../src/vocabulary/long-form/graph.ts'

const A = 'http://example.org/a'
const B = 'http://example.org/b'
const P = 'http://example.org/p'
const Q = 'http://example.org/q'

const textsOf = (node: DocumentNode | undefined, iri: string) => node?.literals(iri).map(({ value }) => value)

test('What several places say of a node is one node', () => {
  const graph = graphOf([
    { '@id': A, '@type': ['T'], [P]: [{ '@value': 1 }] },
    { '@id': B, [Q]: [{ '@id': A, '@type': ['U'], [P]: [{ '@value': 2 }] }] },
  ])
  assert.deepEqual([...graph.keys()], [A, B])
  assert.deepEqual(textsOf(graph.get(A), P), [1, 2])
  assert.deepEqual([...(graph.get(A)?.types ?? [])], ['T', 'U'])
})

test('A node in its place has what that place says, and for the rest what the document says', () => {
  const graph = graphOf([
    { '@id': B, [Q]: [{ '@id': A, [P]: [{ '@value': 'here' }] }] },
    { '@id': A, '@type': ['T'], [P]: [{ '@value': 'there' }], [Q]: [{ '@value': 'rest' }] },
  ])
  const [place] = graph.get(B)?.nodes(Q) ?? []
  assert.deepEqual(textsOf(place, P), ['here'])
  assert.deepEqual(textsOf(place, Q), ['rest'])
  assert.ok(place?.types.has('T'))
  assert.deepEqual(textsOf(place?.here, Q), [])
})

test('A node that is only named has all that the document says of it', () => {
  const graph = graphOf([
    { '@id': B, [Q]: [{ '@id': A }] },
    { '@id': A, [P]: [{ '@value': 1 }] },
  ])
  const [place] = graph.get(B)?.nodes(Q) ?? []
  assert.deepEqual(textsOf(place, P), [1])
  assert.deepEqual(textsOf(place?.here, P), [1])
})

test('Blank nodes with one label are one, those without a label are none but themselves', () => {
  const graph = graphOf([
    { '@id': A, [P]: [{ '@id': '_:b0' }, {}, {}] },
    { '@id': '_:b0', [Q]: [{ '@value': 1 }] },
  ])
  assert.equal(graph.size, 4)
  assert.deepEqual(textsOf(graph.get(A)?.nodes(P)[0], Q), [1])
})

test('Lists, @reverse, @included and named graphs are read', () => {
  const graph = graphOf([
    { '@id': A, [P]: [{ '@list': [{ '@value': 'x' }, { '@id': B }] }], '@reverse': { [Q]: [{ '@id': B }] } },
    {
      '@id': 'http://example.org/g',
      '@graph': [{ '@id': 'http://example.org/c' }],
      '@included': [{ '@id': '_:d' }],
    },
  ])
  assert.deepEqual(textsOf(graph.get(A), P), ['x'])
  assert.equal(graph.get(A)?.nodes(P)[0]?.id, B)
  assert.equal(graph.get(B)?.nodes(Q)[0]?.id, A)
  assert.ok(graph.has('http://example.org/c') && graph.has('_:d'))
})

test('The English text is chosen of several, the first where there is none', () => {
  const node = new DocumentNode(A)
  const literal = (value: string, language: string) => ({ value, language, datatype: undefined })
  node.add(P, literal('Guten Tag', 'de'))
  assert.equal(node.text(Q, P), 'Guten Tag')
  node.add(P, literal('Hello', 'en'))
  assert.equal(node.text(Q, P), 'Hello')
})
