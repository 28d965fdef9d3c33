import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineExtensions } from '../../src/library/index.ts'
import { OPERATED, OPERATIONS } from '../types/api-files.ts'
import { compile, typesOf, WRONG, wrongLines } from '../types/compiling.ts'

const CUSTOMERS = `${OPERATED}
  Customer:
    properties:
      name: { type: string, required: true }
      since: { type: date, writable: false }
      addresses: { type: Address, many: true }
      home: Address
      words: langString
  Address:
    collection: false
    properties:
      city: { type: string, required: true }
      owner: Customer
`

const USES = `import { createHydrant, defineExtensions, type Extensions, type Values } from 'hydrant'
import type { Customer, Order, Shop } from './shop.ts'
const define = defineExtensions<Shop>()

export const right = define({
  hooks: {
    Order: {
      beforeWrite({ member, before, operation }) {
        if (operation === 'create') return undefined
        if (before?.text === 'x') return
        member.text = 'y'
        return member
      },
      afterWrite: async ({ members }) => void (await members('orders').add({ text: 'x' })),
      beforeDelete() {},
    },
    Customer: {
      async beforeWrite({ member }) {
        const { name, ...others } = member
        const addresses = member.addresses?.map((one) => ({ ...one, city: one.city.trim() }))
        return { ...others, name: name.trim(), since: '2026-01-01', ...(addresses && { addresses }) }
      },
    },
  },
  operations: {
    Order: {
      ship: {
        expects: 'Shipment',
        returns: 'Order',
        access: ['clerk', 'owner'],
        async handle({ member, body, members }) {
          const carrier: string = body.carrier
          return members('orders').change(member['@id'], { text: carrier })
        },
      },
      'pay-for': { returns: 'Receipt', handle: ({ body }) => ({ total: body === undefined ? 12.5 : 0 }) },
      touch: { handle: () => 5 },
      unknown: { handle: ({ body, member }) => body.anything + member.text },
    },
  },
})
const hydrant = createHydrant<Shop>({ ...right, api: {} })
export const same = right satisfies Extensions<Shop>
export const untyped = defineExtensions()({ hooks: { Any: { beforeWrite: ({ member }) => ({ ...member, any: 1 }) } } })
define({})
define({ hooks: { Order: { beforeWrite: (): Values<Order> => ({ text: 'x' }) } } })
define({ hooks: { Order: { beforeWrite: (): Order | undefined => undefined } } })
define({ hooks: { Customer: { beforeWrite: ({ member }) => ({ ...member, words: { en: 'x', de: 'y' } }) } } })
define({ operations: { Order: { ship: { handle: ({ member }) => member }, touch: { async handle() {} } } } })

define({ hooks: { Order: { beforeWrite: ({ member }) => ({ ...member, txt: 'x' }) } } }) ${WRONG}
define({ hooks: { Order: { async beforeWrite({ member }) { return { ...member, txt: 'x' } } } } }) ${WRONG}
define({ hooks: { Order: { beforeWrite({ before }) { if (before) return; return { text: 'x', txt: 'x' } } } } }) ${WRONG}
define({ hooks: { Order: { beforeWrite: ({ member }) => ({ ...member, text: 1 }) } } }) ${WRONG}
define({ hooks: { Order: { beforeWrite: () => ({}) } } }) ${WRONG}
define({ hooks: { Customer: { beforeWrite: ({ member }) => ({ ...member, home: { city: 'x', cty: 'y' } }) } } }) ${WRONG}
define({ hooks: { Customer: { beforeWrite: ({ member }) => ({ ...member, addresses: [{ city: 'x', cty: 'y' }] }) } } }) ${WRONG}
define({ hooks: { Order: { beforeWrit() {} } } }) ${WRONG}
define({ hooks: { Order: {}, Ordr: {} } }) ${WRONG}
define({ hooks: {}, hoks: {} }) ${WRONG}
define({ operations: { Order: {}, Ordr: {} } }) ${WRONG}
define({ operations: { Order: { any: { titel: 'x', handle() {} } } } }) ${WRONG}
define({ operations: { Order: { ship: { handle: ({ body }) => void body.carier } } } }) ${WRONG}
define({ operations: { Order: { ship: { handle: async () => ({ nothing: 1 }) } } } }) ${WRONG}
define({ operations: { Order: { 'pay-for': { handle: () => ({ totl: 1 }) } } } }) ${WRONG}
define({ operations: { Order: { touch: { handle: ({ body }) => void body.any } } } }) ${WRONG}
export const wrong = { operations: { Order: { ship: { handle: ({ body }) => void body.carier } } } } satisfies Extensions<Shop> ${WRONG}
export type Used = [Customer, typeof hydrant]
`

// contract: `hydrant types` gives the types of members
test('with the types of an API, a misspelt name in what a hook or an operation returns does not compile', async (t) => {
  const found = await compile(t, { 'shop.ts': typesOf(CUSTOMERS, OPERATIONS), 'uses.ts': USES })
  const lines = [...new Set(found.map(({ file, line }) => `${file}:${line}`))]
  const expected = wrongLines(USES).map((line) => `uses.ts:${line}`)
  assert.deepEqual(
    lines.sort(),
    expected.sort(),
    found.map(({ line, message }) => `${line}: ${message}`).join('\n'),
  )
})

test('defineExtensions returns what it is given', () => {
  const given = { hooks: { Order: {} } }
  assert.equal(defineExtensions()(given), given)
})
