import { classSchemas } from './src/members/conversion.ts'
import { writeMember } from './src/members/index.ts'
import { openStore } from './src/store/open.ts'
import { modelOf } from './test/support/service.ts'
export const MODEL = modelOf(`
title: Big
classes:
  Author:
    properties:
      name: string
      born: integer
  Book:
    properties:
      title: string
      genre: string
      price: decimal
      pages: integer
      author: { type: Author }
      writer: { type: Author }
`)
const N = Number(process.argv[2] ?? 1_000_000)
const cls = (name) => MODEL.classes.find((one) => one.name === name)
const store = await openStore('sqlite:/tmp/bench/big.db', classSchemas(MODEL))
const s = store.members
const _t0 = Date.now()
const batch = async (className, items) => {
  for (let i = 0; i < items.length; i += 2000)
    await s.addAll(items.slice(i, i + 2000).map((member) => ({ className, member })))
}
const A = 10_000
await batch(
  'Author',
  Array.from({ length: A }, (_, i) => ({
    id: `a${i}`,
    ...writeMember(cls('Author'), { name: `Name ${(i * 7919) % A}`, born: 1800 + (i % 200) }, ''),
  })),
)
for (let i = 0; i < N; i += 20000)
  await batch(
    'Book',
    Array.from({ length: 20000 }, (_, j) => {
      const n = i + j
      return {
        id: `b${n}`,
        ...writeMember(
          cls('Book'),
          {
            title: `Title ${(n * 7919) % N}`,
            genre: `g${n % 100}`,
            price: `${(n % 9973) / 100}`,
            pages: n % 1000,
            author: `/authors/a${(n * 31) % A}`,
            writer: `/authors/a${n % 100}`,
          },
          '',
        ),
      }
    }),
  )
await store.close()
