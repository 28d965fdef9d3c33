import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classesOf, type DeclaredOperations, withOwnOperations } from '../../src/vocabulary/operations.ts'
import { readShortForm } from '../../src/vocabulary/short-form/short-form.ts'
import { inShort } from '../support/problems.ts'

const API = `
roles: [clerk]
classes:
  Order: { access: { update: clerk }, properties: { note: string, copyOf: { type: Order, reverse: copies } } }
  Shipment: { collection: false, properties: { carrier: string } }
  Settings: { collection: false, operations: [read], properties: { motto: string } }
`

function read(operations: unknown, api = API) {
  const declared = operations as DeclaredOperations
  const file = readShortForm(api, 'api.yaml', classesOf(declared))
  return 'problems' in file ? file : withOwnOperations(file.model, declared)
}

const handle = () => {}
const order = (name: string, more: object = {}) => ({
  Order: { [name]: { expects: 'Shipment', handle, ...more } },
})

// contract: A class may exist for the sake of an operation's
// contract: A class without a collection is an embedded value
test('a class may exist for the sake of an operation that expects or returns it', () => {
  for (const operations of [order('ship'), order('ship', { expects: 'Order', returns: 'Shipment' })]) {
    const found = read(operations)
    assert.ok('model' in found, JSON.stringify(found))
    const { customOperations = [] } = found.model.classes[0] ?? {}
    assert.deepEqual(customOperations[0]?.grantees.roles, ['clerk'])
  }
  const unused = read({})
  assert.ok('problems' in unused)
  const [problem] = unused.problems
  assert.deepEqual([problem?.code, problem?.values], ['UnusedClass', { className: 'Shipment' }])
})

// contract: An operation whose name is that of a method's alias
// contract: `history` is no name for an operation of one's own.
test('what is wrong with operations is found at start, with what would be right', () => {
  const rows: readonly [operations: unknown, problem: string][] = [
    [{ ...order('ship'), Ordr: {} }, 'Ordr NotAStoredClass(Ordr, → Order)'],
    [{ ...order('ship'), Shipment: {} }, 'Shipment NotAStoredClass(Shipment, of Order … Settings)'],
    ...['get', 'patch', 'delete', 'list', 'update', 'replace-post', 'operation', 'history'].map(
      (name): [unknown, string] => [order(name), `Order.${name} ReservedOperationName(${name})`],
    ),
    ...['Ship', 'ship it', '1st', 'schön', '-ship', ''].map((name): [unknown, string] => [
      order(name),
      `Order.${name} InvalidOperationName`,
    ]),
    [order('note'), 'Order.note OperationIsProperty(Order, note)'],
    [order('copies'), 'Order.copies OperationIsProperty(Order, copies)'],
    [order('ship', { handle: 7 }), 'Order.ship NoHandler'],
    [order('ship', { expect: 'Order' }), 'Order.ship UnknownOperationKey(expect, → expects)'],
    [order('ship', { transaction: 'yes' }), 'Order.ship TransactionNotBoolean'],
    [order('ship', { title: 7 }), 'Order.ship OperationKeyNotText(title)'],
    [order('ship', { returns: 'Ordre' }), 'Order.ship UnknownClass(returns, Ordre, → Order)'],
    [order('ship', { access: 'clark' }), 'Order.ship.access UnknownGrantee(clark, → clerk)'],
    [order('ship', { access: ['x', 'x'] }), 'Order.ship.access UnknownGrantee(x, of clerk … nobody)'],
    [order('ship', { access: 'anyon' }), 'Order.ship.access UnknownGrantee(anyon, of clerk … nobody)'],
    [order('ship', { access: [] }), 'Order.ship.access NoGrantee'],
    [
      { ...order('ship'), Settings: { reset: { access: 'owner', handle } } },
      'Settings.reset.access NoOwnerOfSingle(Settings)',
    ],
    [{ ...order('ship'), Settings: { reset: 7 } }, 'Settings.reset NoHandler'],
  ]
  for (const [operations, problem] of rows) {
    const found = read(operations)
    assert.ok('problems' in found, String(problem))
    const problems = found.problems.map(inShort)
    assert.ok(problems.includes(problem), problems.join('\n'))
  }
})

test('an operation that is not for everyone makes rules, and others none', () => {
  const api = 'classes: { Order: { properties: { note: string } } }'
  for (const [access, isLimited] of [
    [undefined, false],
    ['everyone', false],
    ['owner', true],
    ['nobody', true],
  ] as const) {
    const found = read({ Order: { ship: { access, handle } } }, api)
    assert.ok('model' in found)
    assert.equal(found.model.access !== undefined, isLimited)
  }
})
