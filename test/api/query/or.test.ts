import { test } from 'node:test'
import { finds, serveShop, sorts, WITHOUT_REVERSE } from './shop.ts'

// contract: `or[a][title]=Emma&or[a][isbn]=978…`
// contract: So every combination can be said
// contract: An alternative is any filter of this page
test('members match one of the alternatives of every group', async (t) => {
  const service = await serveShop(t, WITHOUT_REVERSE)
  await finds(service, 'orders', [
    ['or[a][number]=1&or[a][title]=Rings', '12'],
    ['or[a][number]=1&or[a][number]=5', '15'],
    ['or[a][number.gte]=4&or[a][number.lt]=2', '145'],
    ['or[a][title.exists]=false&or[a][title.startsWith]=sea', '34'],
    ['or[a][title.contains]=RING&or[a][number.ne]=9', '12345'],
    ['or[a][q]=sea&or[a][q]=rings', '124'],
    ['or[a][q]=sea+rings&or[a][number]=5', '45'],
    ['or[a][q]=rin*', '24'],
    ['or[a][customer.name]=Bob&or[a][address.city]=Rom', '23'],
    ['or[a][customer.exists]=false&or[a][customer.name.exists]=false', '45'],
    ['or[a][lines.amount.lt]=5&or[a][lines.product.name]=Pad', '12'],
    // Each on its own: o1 has a line of 5, and another one with this note.
    ['or[a][lines.amount]=5&or[b][lines.note]=y', '1'],
    ['lines.amount=5&or[b][lines.note]=y', '1'],
    // Two groups, and another filter.
    ['or[a][number]=1&or[a][number]=2&or[1][title]=Rings&or[1][number]=5', '2'],
    ['or[a][number]=1&or[a][number]=2&number.gt=1', '2'],
    ['or[a][number]=1&or[a][number]=2&q=sea', '1'],
    ['or[a][number]=7&or[a][title]=none', ''],
  ])
  await sorts(service, 'orders', [
    ['or[a][number.gte]=4&or[a][number]=1', '145'],
    ['or[a][number.gte]=4&or[a][number]=1&sort=-number', '541'],
    ['or[a][title.exists]=true&or[a][number]=3&sort=customer.born,-number', '12354'],
    ['or[a][number.gte]=4', '45'],
  ])
})
