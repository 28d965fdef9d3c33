import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member } from 'hydrant-client'
import { columnsOf } from '../../../../console/pages/table/columns.ts'
import { describedClass } from '../../table-class.ts'

test('the name is the first column, required properties come next, and unreadable ones have no column', () => {
  const cls = describedClass(
    { name: 'pages', range: 'integer' },
    { name: 'title', range: 'string' },
    { name: 'writer', range: 'string', required: true },
    { name: 'secret', range: 'string', readable: false },
  )
  assert.deepEqual(
    columnsOf(cls, []).map(({ name, title, kind }) => [name, title, kind]),
    [
      ['title', 'Title', 'text'],
      ['writer', 'Writer', 'text'],
      ['pages', 'Pages', 'integer'],
    ],
  )
})

test('undescribed members have a column for their address and for each key', () => {
  const members = [{ data: { '@id': 'x', a: 1 } }, { data: { '@id': 'y', b: 2 } }] as unknown as Member[]
  assert.deepEqual(
    columnsOf(undefined, members).map(({ title }) => title),
    ['Address', 'A', 'B'],
  )
})

test('a column has the title of its property', () => {
  const cls = describedClass({ name: 'email', title: 'E-mail', range: 'string' })
  assert.equal(columnsOf(cls, [])[0].title, 'E-mail')
})

test('a name of several parts has a column of its own, which cannot be sorted, nor can many values', () => {
  const cls = describedClass(
    { name: 'name', range: 'string' },
    { name: 'customer', isLink: true },
    { name: 'tags', range: 'string', many: true },
  )
  const label = ['customer', 'name'].map((name) => `http://shop.example/docs#Book/${name}`)
  assert.deepEqual(
    columnsOf({ ...cls, label }, []).map(({ name, title, isSortable }) => [name, title, isSortable]),
    [
      ['', 'Book', false],
      ['name', 'Name', true],
      ['customer', 'Customer', true],
      ['tags', 'Tags', false],
    ],
  )
})
