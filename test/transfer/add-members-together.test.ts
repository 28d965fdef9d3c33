import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPostgres } from '../support/postgres.ts'
import { openBulk } from './transfer.ts'

const API = `
classes:
  Invoice:
    unique: [[customer, number]]
    properties: { customer: string, number: { type: integer, filterable: false }, next: Invoice }
`

const invoice = (id: string, more: object) => ({ '@id': `/invoices/${id}`, ...more })

for (const name of ['SQLite', 'PostgreSQL']) {
  // contract: **Unique together**
  test(`${name}: an import refuses members that share all of the values, with one another or with those that are there`, async (t) => {
    const bulk = await openBulk(t, API, name === 'SQLite' ? undefined : newPostgres(t))
    await bulk.import([invoice('0', { customer: 'Ann', number: 0 })])
    const { reported, ...tally } = await bulk.import([
      invoice('1', { customer: 'Ann', number: 1 }),
      invoice('2', { customer: 'Ann', number: 1 }),
      invoice('3', { customer: 'Ann', number: 0 }),
      invoice('4', { customer: 'Bob', number: 1 }),
      invoice('5', { customer: 'Ann' }),
      invoice('6', { customer: 'Ann' }),
      // In a circle: the one that is added stays without its link to the other.
      invoice('7', { customer: 'Cid', number: 1, next: '/invoices/8' }),
      invoice('8', { customer: 'Cid', number: 1, next: '/invoices/7' }),
    ])
    assert.deepEqual(tally, { added: 4, alreadyThere: 0, refused: 4 })
    assert.deepEqual(reported, [
      '2: customer NotUniqueTogether(customer number)',
      '3: customer NotUniqueTogether(customer number)',
      '8: customer NotUniqueTogether(customer number)',
      '7: next AddedWithoutLink(next RefusedTarget(/invoices/8, 8))',
    ])
    const stored = Object.values(await bulk.members()).map(({ customer, number }) => `${customer} ${number}`)
    assert.deepEqual(stored.sort(), ['Ann 0', 'Ann 1', 'Ann undefined', 'Ann undefined', 'Bob 1', 'Cid 1'])
  })
}
