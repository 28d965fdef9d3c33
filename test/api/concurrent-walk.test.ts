import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../support/databases.ts'
import { pathOf, serveSignedIn } from './signed-in.ts'
import { fill, numbered, THINGS } from './things.ts'
import { put, walk } from './walks.ts'

// contract: Walking `next` by cursor visits every member
test('by cursor, the walk visits every member that stays exactly once while others come and go', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: THINGS })
  const stay = numbered(60)
  const valuesOf = (index: number) => ({
    ...(index % 5 !== 0 && { name: `n${(index * 7) % 10}`, tags: [`x${index % 3}`, `y${index % 4}`] }),
    ...(index % 4 !== 0 && { rank: (index * 3) % 11 }),
  })
  const queries = [
    'itemsPerPage=7',
    'sort=name&itemsPerPage=7',
    'sort=-name&itemsPerPage=7',
    'sort=-rank,name&itemsPerPage=7',
    'rank[gte]=2&itemsPerPage=5',
    'rank[ne]=5&sort=-name&itemsPerPage=5',
    'tags[gte]=x1&itemsPerPage=5',
    'exists[name]=false&itemsPerPage=2',
    'name[contains]=N&sort=rank&itemsPerPage=5',
  ]
  await fill(service, stay, valuesOf)
  let added = 0
  for (const query of queries) {
    const before = new Set((await walk(service, `/things?${query}`)).flat().filter((id) => stay.includes(id)))
    assert.ok(before.size > 0, query)

    const passing: string[] = []
    let walking = true
    const busy = (async () => {
      while (walking) {
        const id = `p${added++}`
        await put(service, `/things/${id}`, valuesOf(added * 13))
        passing.push(id)
        if (passing.length > 5) await service.send('DELETE', `/things/${passing.shift()}`)
      }
    })()
    // The member that a cursor was made of goes, too.
    const pages = await walk(service, `/things?${query}`, 'next', async ({ member }) => {
      const edge = member.at(-1)?.['@id'] ?? ''
      if (edge.includes('/things/p')) await service.send('DELETE', pathOf(service.base, edge))
    })
    walking = false
    await busy
    const seen = pages.flat()
    assert.equal(new Set(seen).size, seen.length, `${query}: nobody twice`)
    assert.deepEqual(new Set(seen.filter((id) => stay.includes(id))), before, `${query}: everybody`)
  }
})
