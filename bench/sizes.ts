// What a page of 20 costs at 1,000 and at 1,000,000 members, in one interleaved run; the import that made them; and
// what searches without an index do to others.

import { load, median } from './load.ts'
import { request, signIn } from './requests.ts'
import { HOW, latencyOf, measure, ROUND_MS, ROUNDS, WARM_UP_MS } from './rounds.ts'
import { cursors, cycle, pageOf, spellings } from './thing-pages.ts'
import { importThings, startThings, type ThingServer } from './things.ts'

const SMALL = 1_000
const LARGE = 1_000_000
const SCANS = 20

interface Kind {
  readonly name: string
  readonly paths: (server: ThingServer, authorized: string) => Promise<readonly string[]> | readonly string[]
}

const KINDS: readonly Kind[] = [
  { name: 'the first page', paths: () => spellings(() => 'itemsPerPage=20') },
  { name: 'by cursor, at any depth', paths: cursors },
  {
    name: 'by an indexed filter, 100 matches',
    paths: ({ members }) => spellings((index) => `group=group${index % (members / 100)}`),
  },
  { name: 'by an indexed order', paths: () => spellings(() => 'order%5Bname%5D=desc') },
]

export async function measureSizes(): Promise<void> {
  const small = await startThings(SMALL)
  const imported = await importThings(LARGE)
  console.log(
    `\nImport of ${LARGE.toLocaleString('en')} members: ${imported.seconds.toFixed(1)} s, ` +
      `${Math.round(LARGE / imported.seconds).toLocaleString('en')} members a second, ` +
      `peak memory ${Math.round(imported.peakMegabytes)} MB`,
  )
  const large = await startThings(LARGE, { folder: imported.folder })
  try {
    await comparePages(small, large)
    await measureScans(large)
  } finally {
    await Promise.all([small.stop(), large.stop()])
  }
}

async function comparePages(small: ThingServer, large: ThingServer): Promise<void> {
  const servers = [small, large]
  const headers = await Promise.all(servers.map(signIn))
  const costs = KINDS.map(() => servers.map(() => [] as number[]))
  const nexts = await Promise.all(
    KINDS.map(({ paths }) =>
      Promise.all(
        servers.map(async (server, of) => cycle(await paths(server, headers[of] ?? ''), headers[of] ?? '')),
      ),
    ),
  )
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [kind, ofServers] of nexts.entries()) {
      for (const [of, server] of servers.entries()) {
        const next = ofServers[of] ?? (() => '')
        const { cost } = await measure(server, next, 200, round < 0 ? WARM_UP_MS : ROUND_MS)
        if (round >= 0) costs[kind]?.[of]?.push(cost)
      }
    }
  }
  console.log(`\n${HOW}\n`)
  console.log('| page of 20 | 1,000 members: CPU µs | 1,000,000 members: CPU µs | ratio |\n|---|---|---|---|')
  for (const [kind, { name }] of KINDS.entries()) {
    const [few = [], many = []] = costs[kind] ?? []
    const ratio = median(many.map((cost, round) => cost / (few[round] ?? Number.NaN)))
    console.log(`| ${name} | ${median(few).toFixed(1)} | ${median(many).toFixed(1)} | ${ratio.toFixed(2)} |`)
  }
}

/** Reads of one member on four connections, alone and beside twenty searches without an index. */
async function measureScans(large: ThingServer): Promise<void> {
  const authorized = await signIn(large)
  const first = await pageOf(large, '?itemsPerPage=1', authorized)
  const member = request(new URL(first.member[0]?.['@id'] ?? '').pathname, authorized)
  const quiet: number[] = []
  const busy: number[] = []
  let answered = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await latencyOf(large.port, member))
    let asked = 0
    const scans = load({
      port: large.port,
      connections: SCANS,
      milliseconds: ROUND_MS,
      expected: [200, 503],
      next(previous) {
        if (previous.startsWith('HTTP/1.1 200')) answered += 1
        return request(`/api/things?name%5Bcontains%5D=nowhere${asked++}`, authorized)
      },
    })
    busy.push(await latencyOf(large.port, member))
    await scans
  }
  const ratio = median(busy.map((p99, round) => p99 / (quiet[round] ?? Number.NaN)))
  console.log('\n| reads of a member at 1,000,000 | p99 |\n|---|---|')
  console.log(`| alone | ${median(quiet).toFixed(2)} ms |`)
  console.log(
    `| beside ${SCANS} \`contains\` queries (${(answered / ROUNDS).toFixed(1)} answered a round) | ${median(busy).toFixed(2)} ms |`,
  )
  console.log(`| ratio | ${ratio.toFixed(2)} |`)
}
