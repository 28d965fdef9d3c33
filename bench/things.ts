// A collection of small members of any size, and pages of it to ask for, none of which is remembered from the time before.
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { ask } from './load.ts'
import { type BenchServer, type Ended, fill, newFolder } from './servers.ts'
import { request } from './workloads.ts'

const API = `
title: Things
classes:
  Thing:
    properties:
      name: { type: string, required: true }
      group: string
      size: integer
`
/** More requests than pages are kept in memory, so that each one is answered from the database. */
const DIFFERENT = 200
/** That a collection is asked for by cursor, where it is so large. */
const PLACES = 2_000

/** Writes so many to a file and imports it. `rules`: who may do what, none without. */
export async function importThings(
  members: number,
  rules = '',
): Promise<Ended & { readonly folder: string }> {
  const folder = newFolder()
  writeFileSync(join(folder, 'api.yaml'), rules + API)
  await writeThings(join(folder, 'data.ndjson'), members)
  return { folder, ...(await fill(folder)) }
}

async function writeThings(path: string, members: number): Promise<void> {
  const file = createWriteStream(path)
  // A fixed step through all numbers, so that names do not come in their order.
  for (let index = 0, number = 0; index < members; index += 1, number = (number + 617_773) % members) {
    const group = `group${index % (members / 100)}`
    const line = `{"@type":"Thing","name":"The thing with number ${number}","group":"${group}","size":${number}}\n`
    if (!file.write(line)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

/**
 * Cursors for pages of twenty, from the first page to the last. They are so many that what is read of the file is not in the
 * processor's cache from the time before: a server of a million members is seldom asked for the same page.
 */
export async function cursors(server: BenchServer, members: number): Promise<readonly string[]> {
  const found: string[] = []
  const step = members > PLACES * 20 ? 100 : 20
  const every = Math.max(1, Math.floor(members / step / PLACES))
  let query = `?itemsPerPage=${step}`
  for (let page = 0; ; page += 1) {
    const { view } = await pageOf(server, query)
    if (view.next === undefined) break
    query = new URL(view.next).search
    if (page % every === 0) found.push(`after=${new URLSearchParams(query).get('after')}`)
  }
  if (found.length >= DIFFERENT) return found.map((place) => `/api/things?${place}`)
  return spellings((index) => found[index % found.length] ?? '')
}

interface PageOfThings {
  readonly member: readonly { readonly '@id': string }[]
  readonly view: { readonly next?: string }
}

export async function pageOf({ port, authorized }: BenchServer, query: string): Promise<PageOfThings> {
  const { body } = await ask(port, request(`/api/things${query}`, authorized))
  return JSON.parse(`${body}`)
}

/** Each query in a spelling of its own, for the same page under another name: no two are remembered as one. */
export const spellings = (queryOf: (index: number) => string): string[] =>
  Array.from({ length: DIFFERENT }, (_, index) => `/api/things?${queryOf(index)}${'&'.repeat(index + 1)}`)
