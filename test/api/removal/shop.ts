import type { TestContext } from 'node:test'
import type { ServiceOptions } from '../../support/service.ts'
import { pathOf } from '../signed-in.ts'
import { serveWriter } from '../writing.ts'

/** A shop in which a removal does all that it can do. */
export const SHOP = `
classes:
  Customer: { properties: { name: string } }
  Product: { properties: { name: string } }
  Line: { collection: false, properties: { product: { type: Product, onDelete: unset }, pieces: integer } }
  Order:
    properties:
      customer: { type: Customer, onDelete: delete }
      lines: { type: Line, many: true }
      first: Line
      changedAt: { type: dateTime, always: now }
  Note:
    properties:
      about: { type: Order, onDelete: delete }
      by: { type: Customer, onDelete: unset }
      others: { type: Order, many: true, onDelete: unset }
      kept: Order
      text: { type: string, required: true }
  Bill:
    properties: { order: Order, note: { type: Note, onDelete: delete } }
`

export const PROBLEM = { Accept: 'application/problem+json' }

/** The status and the code of a problem document. */
export const codeIn = (response: { status: number; json(): object }): [number, string | undefined] => [
  response.status,
  String((response.json() as { type?: string }).type).split('#')[1],
]

/** The shop as somebody sees it who writes; members are named by their addresses. */
export async function serveShop(t: TestContext, options: ServiceOptions = {}) {
  const shop = await serveWriter(t, { api: SHOP, ...options })
  const { base, add, get, remove, values } = shop
  const below = (address: string) => pathOf(base, address)
  return {
    ...shop,
    below,
    make: async (path: string, body: object) => (await add(path, body))['@id'],
    isThere: async (address: string) => (await get(below(address))).status === 200,
    removeAt: (address: string) => remove(below(address)),
    valuesAt: (address: string) => values(below(address)),
    codeOf: async (address: string) => codeIn(await remove(below(address), PROBLEM)),
    /** All changes, as `Delete orders/1`. */
    async events() {
      const { member } = (await get('/events')).json()
      const all = member as { '@type': string; object: { '@id': string } }[]
      return all.map((one) => `${one['@type']} ${below(one.object['@id']).slice(1)}`)
    },
  }
}
