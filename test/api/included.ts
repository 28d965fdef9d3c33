import { type Json, type SignedIn, serveSignedIn } from './signed-in.ts'
import { put } from './walks.ts'

/** Every way to a link: one, many, in an embedded value and behind another link; names that mean something else each. */
export const SHOP = `
classes:
  Country: { collection: countries, properties: { name: string, title: integer } }
  Maker: { iri: "http://schema.org/Organization", properties: { name: { type: string, iri: "http://schema.org/name" }, home: Country, seat: Seat } }
  Seat: { collection: false, properties: { street: string } }
  Product: { properties: { title: string, maker: Maker, member: string, shown: string } }
  Line: { collection: false, properties: { product: Product, count: integer, Line: string } }
  Order:
    properties:
      title: string
      lines: { type: Line, many: true }
      gift: Product
      wished: { type: Product, many: true }
      next: Order
  Plain: { properties: { name: string } }
  Settings: { collection: false, operations: [create, read], properties: { shown: Product } }
`

export async function serveShop(t: Parameters<typeof serveSignedIn>[0], flags = {}): Promise<SignedIn> {
  const shop = await serveSignedIn(t, { api: SHOP, flags })
  await put(shop, '/countries/at', { name: 'Austria', title: 43 })
  await put(shop, '/makers/ann', { name: 'Ann "Ltd"', home: '/api/countries/at', seat: { street: 'Ring' } })
  await put(shop, '/products/p', { title: 'Pen', maker: '/api/makers/ann', member: '/makers/ann' })
  await put(shop, '/products/q', { title: 'Quill' })
  await put(shop, '/orders/b', { title: 'Second', gift: '/api/products/p' })
  const lines = [
    { product: '/api/products/p', count: 2, Line: '"/products/p"' },
    { count: 1 },
    { product: '/api/products/q' },
  ]
  const wished = ['/api/products/p', '/api/products/q']
  await put(shop, '/orders/a', {
    title: 'First',
    lines,
    wished,
    gift: '/api/products/q',
    next: '/api/orders/b',
  })
  await put(shop, '/Settings', { shown: '/api/products/p' })
  return shop
}

export const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((one, name) => (one as Json | undefined)?.[name], value)
