import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayProblem } from '../../src/service/problems/index.ts'
import { classesOf, type DeclaredOperations, withOwnOperations } from '../../src/vocabulary/operations.ts'
import { readShortForm } from '../../src/vocabulary/short-form/short-form.ts'

const API = `
roles: [clerk]
classes:
  Order: { access: { update: clerk }, properties: { note: string } }
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
test('what is wrong with operations is found at start, with what would be right', () => {
  const rows: readonly [operations: unknown, problem: RegExp][] = [
    [{ ...order('ship'), Ordr: {} }, /^Ordr this is no class that has members; did you mean "Order"\?$/],
    [{ ...order('ship'), Shipment: {} }, /^Shipment this is no class that has members/],
    ...['get', 'patch', 'delete', 'list', 'update', 'replace-post', 'operation'].map(
      (name): [unknown, RegExp] => [
        order(name),
        new RegExp(`^Order\\.${name} "${name}" has a meaning of its own`),
      ],
    ),
    ...['Ship', 'ship it', '1st', 'schön', '-ship', ''].map((name): [unknown, RegExp] => [
      order(name),
      /^Order\..* its name must be lower-case letters, digits and "-"/,
    ]),
    [order('note'), /has a property "note" already/],
    [order('ship', { handle: 7 }), /needs a function "handle"/],
    [order('ship', { expect: 'Order' }), /"expect" is not known here; did you mean "expects"\?/],
    [order('ship', { title: 7 }), /"title" must be a text/],
    [
      order('ship', { returns: 'Ordre' }),
      /"returns" must be the name of a class, and "Ordre" is none; did you mean/,
    ],
    [
      order('ship', { access: 'clark' }),
      /"clark" is neither a role that "roles" declares nor .*; did you mean "clerk"\?/,
    ],
    [order('ship', { access: ['x', 'x'] }), /^Order\.ship\.access "x" is neither .*$/],
    [order('ship', { access: [] }), /an empty list says nothing/],
    [{ ...order('ship'), Settings: { reset: { access: 'owner', handle } } }, /which has no owner/],
    [{ ...order('ship'), Settings: { reset: 7 } }, /needs a function "handle"/],
  ]
  for (const [operations, problem] of rows) {
    const found = read(operations)
    assert.ok('problems' in found, String(problem))
    assert.match(found.problems.map((one) => `${one.at.path} ${sayProblem(one)}`).join('\n'), problem)
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
