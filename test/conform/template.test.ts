import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillVariable, variablesOf } from '../../src/conform/template.ts'

test('the variables of a template, or undefined for what RFC 6570 does not allow', () => {
  for (const [template, variables] of [
    ['/books', []],
    ['/books{?title*,pages.gte,q:30}', ['title', 'pages.gte', 'q']],
    ['/books/{id}{?order%5Btitle%5D}', ['id', 'order[title]']],
    ['/books{?order[title]}', undefined],
    ['/books{?a', undefined],
    ['/books}', undefined],
    ['/books{?}', undefined],
    ['/books{?a..b}', undefined],
  ] as const)
    assert.deepEqual(variablesOf(template), variables, template)
})

test('one variable is filled, and all others are left out', () => {
  assert.equal(fillVariable('/books{?title*,page}', 'title', 'a b'), '/books?title=a%20b')
  assert.equal(fillVariable('/books?x=1{&order%5Ba%5D}', 'order[a]', 'asc'), '/books?x=1&order%5Ba%5D=asc')
  assert.equal(fillVariable('/books{?page}', 'title', 'a'), undefined)
  assert.equal(fillVariable('/books/{title}', 'title', 'a'), undefined)
})
