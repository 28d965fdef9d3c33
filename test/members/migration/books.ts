import { openStore } from '../../../src/store/open.ts'
import { type Kinds, memberOf, shapeOf, type Values } from '../../support/shapes.ts'

export const BOOK: Kinds = { title: 'text', pages: 'number' }

/** A database with an author and these books, closed again. */
export async function stored(url: string, books: readonly Values[], kinds = BOOK): Promise<string> {
  const store = await openStore(url, [shapeOf('Author', {}), shapeOf('Book', kinds)], { bulk: true })
  await store.members.add('Author', memberOf({}, 'ann'))
  await store.members.addAll(
    books.map((values, index) => ({ className: 'Book', member: memberOf(kinds, `b${index}`, values) })),
  )
  await store.close()
  return url
}

export const TWELVE = Array.from({ length: 12 }, (_, index) => ({ title: `T${index}`, pages: index }))
