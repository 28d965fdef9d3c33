// What a filter and an order through one link cost among 1,000,000 members, against the same on the class itself; and how
// long a summary takes, and what it does to readers.
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { ask, load } from './load.ts'
import type { Report, Table } from './report.ts'
import { besideTable, compare, figure, find, flags, measureBeside, ratioOf } from './rounds.ts'
import { type BenchServer, fill, newFolder, startHydrant } from './servers.ts'
import { spellings } from './things.ts'
import { CONNECTIONS, prepareReads, request, type Workload } from './workloads.ts'

const MEMBERS = flags.short ? 10_000 : 1_000_000
const OWNERS = MEMBERS / 100
const GROUPS = 100
const SUMMARIES = 3
const SUMMARY = '/api/summaries/things?group=group&sum=price'

const API = `
title: Things of owners
classes:
  Owner: { properties: { name: string } }
  Thing:
    properties:
      name: string
      shelf: string
      group: string
      price: decimal
      owner: Owner
`

const PAIRS = {
  'a filter, 100 matches': { own: 'shelf=S7', linked: 'owner.name=O7' },
  'an order': { own: 'sort=name', linked: 'sort=owner.name' },
}

export async function measureAsking(): Promise<Report> {
  const folder = newFolder()
  writeFileSync(join(folder, 'api.yaml'), API)
  await writeData(join(folder, 'data.ndjson'))
  await fill(folder)
  const server = await startHydrant({ name: 'things', folder })
  const { table, worst } = await comparePaths(server)
  const seconds = await timeSummaries(server)
  const others = (milliseconds: number) =>
    load({ port: server.port, connections: 1, milliseconds, next: () => request(SUMMARY, server.authorized) })
  const beside = await measureBeside({ server, path: '/api/things?itemsPerPage=1', others })
  return {
    tables: [
      table,
      {
        name: 'summaries',
        columns: [`summary of ${MEMBERS.toLocaleString('en')} members, ${GROUPS} groups`, 's'],
        rows: [['with a sum', seconds]],
      },
      besideTable('beside-summaries', ['reads of a page', 'beside one summary after the other'], beside),
    ],
    targets: [
      {
        workload: 'through one link, of the same on the class itself (CPU)',
        measured: worst,
        target: 3,
        most: true,
      },
      {
        workload: `summary of ${MEMBERS.toLocaleString('en')} members, s`,
        measured: seconds,
        target: 2,
        most: true,
      },
      { workload: 'p99 of reads beside a summary', measured: beside.p99, target: 1.5, most: true },
    ],
  }
}

async function writeData(path: string): Promise<void> {
  const file = createWriteStream(path)
  const write = async (line: object) => {
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain')
  }
  for (let index = 0; index < OWNERS; index += 1)
    await write({ '@type': 'Owner', '@id': `owners/o${index}`, name: `O${index}` })
  for (let index = 0, number = 0; index < MEMBERS; index += 1, number = (number + 617_773) % MEMBERS)
    await write({
      '@type': 'Thing',
      name: `The thing with number ${number}`,
      shelf: `S${index % OWNERS}`,
      group: `G${index % GROUPS}`,
      price: `${number % 1_000}.${(index % 90) + 10}`,
      owner: `owners/o${index % OWNERS}`,
    })
  file.end()
  await finished(file)
}

async function comparePaths(server: BenchServer): Promise<{ table: Table; worst: number }> {
  const queries = Object.values(PAIRS).flatMap(({ own, linked }) => [own, linked])
  const workloads = queries.map(
    (query): Workload => ({
      name: query,
      clients: CONNECTIONS,
      prepare: (one) =>
        prepareReads(
          one,
          spellings(() => query).map((path) => request(path, one.authorized)),
        ),
    }),
  )
  const all = await compare({ servers: [server], workloads })
  const rows = Object.entries(PAIRS).map(([name, { own, linked }]) => {
    const [ofOwn, ofLinked] = [find(all, own, server.name), find(all, linked, server.name)]
    return [name, figure(ofOwn, 'cost'), figure(ofLinked, 'cost'), ratioOf(ofLinked, ofOwn, 'cost')]
  })
  const columns = ['page of 20', 'on the class: CPU µs', 'through a link: CPU µs', 'ratio']
  const worst = Math.max(...rows.map((row) => Number(row[3])))
  return { table: { name: 'asking', columns, rows }, worst }
}

/** The quickest of a few: the first one reads the file. */
async function timeSummaries(server: BenchServer): Promise<number> {
  const seconds: number[] = []
  for (let times = 0; times < SUMMARIES; times += 1) {
    const start = performance.now()
    const { status } = await ask(server.port, request(`${SUMMARY}${'&'.repeat(times)}`, server.authorized))
    if (status !== 200) throw new Error(`A summary was answered with ${status}.`)
    seconds.push((performance.now() - start) / 1_000)
  }
  return Math.min(...seconds)
}
