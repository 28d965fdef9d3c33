import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveShop, WITHOUT_REVERSE } from '../query/shop.ts'
import type { Json, SignedIn } from '../signed-in.ts'
import { idsOf, read } from '../walks.ts'

interface Summary extends Json {
  readonly group: Json
  readonly count: number
  readonly members?: string
}

test('scratch', async (t) => {
  const service = await serveShop(t, WITHOUT_REVERSE)
  const ask = async (query: string) => {
    const response = await service.get(`/summaries/orders?${query}`)
    console.log(query, response.status, response.headers.etag)
    const body = response.json() as Json
    if (response.status !== 200) return console.log(body)
    const { member, ...rest } = body
    console.log(JSON.stringify({ ...rest, '@context': undefined, search: undefined }))
    for (const one of member as Summary[]) {
      const page = one.members && (await read(service, one.members.slice(service.base.length)))
      console.log(JSON.stringify(one), page && page.totalItems)
    }
  }
  for (const query of ['', 'group=customer', 'group=customer.name&sum=number&avg=number&min=title&max=number', 'group=lines.product.name&sum=lines.amount&sum=lines.product.price&sort=-count', 'lines.amount=5&lines.note=x&group=lines.product&group=customer.joined:year', 'group=zzz','group=custmer.name', 'sum=title', 'titel=x', 'include=customer', 'order[titel]=asc', 'group=customer.joined:yaer', 'group=lines', 'q=sea&group=customer.address.city&itemsPerPage=1', 'or[a][number]=1&or[a][number]=2&group=customer.name'])
    await ask(query)
  const r = await service.get('/summaries/orders?group=customer.name&sum=number', { Accept: 'text/turtle' })
  console.log(r.body)
})
