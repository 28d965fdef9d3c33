import { defineExtensions, HttpError, violation } from 'hydrant'
import type { Shop } from './api.ts'

export default defineExtensions<Shop>()({
  hooks: {
    Order: {
      async beforeWrite({ member, members }) {
        if (!member.lines?.length) throw violation('lines', 'an order has at least one line.')
        let cents = 0
        for (const [index, { product, quantity }] of member.lines.entries()) {
          const found = await members('products').find(product)
          if (found === undefined) throw violation(`lines/${index}/product`, 'is not on the shelf.')
          cents += Math.round(Number(found.price) * 100) * quantity
        }
        member.total = (cents / 100).toFixed(2)
        member.status = member.shipment === undefined ? 'open' : 'shipped'
        return member
      },
      beforeDelete({ member }) {
        if (member.status === 'shipped') throw new HttpError(409, 'An order that is shipped stays.')
      },
    },
  },
  operations: {
    Order: {
      ship: {
        title: 'Ship the order',
        expects: 'Shipment',
        returns: 'Order',
        transaction: true,
        async handle({ member, body, members }) {
          if (member.status === 'shipped') throw new HttpError(409, 'This order is shipped already.')
          for (const { product, quantity } of member.lines ?? []) {
            const stock = (await members('products').find(product))?.stock ?? 0
            if (stock < quantity) throw new HttpError(409, `Only ${stock} of ${product} are left.`)
            await members('products').change(product, { stock: stock - quantity })
          }
          return members('orders').change(member['@id'], { shipment: body })
        },
      },
    },
  },
})
