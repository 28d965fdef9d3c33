// What a page of 20 costs at 1,000 and at 1,000,000 members, in one interleaved run; the import that made them; and
// what searches without an index do to others.
import { type Answer, load } from './load.ts'
import type { Report, Table } from './report.ts'
import { besideTable, compare, figure, find, flags, measureBeside, ROUNDS, ratioOf } from './rounds.ts'
import { type BenchServer, startHydrant } from './servers.ts'
import { cursors, importThings, pageOf, spellings } from './things.ts'
import { CONNECTIONS, prepareReads, request, type Workload } from './workloads.ts'

const SMALL = 1_000
const LARGE = flags.short ? 10_000 : 1_000_000
const SCANS = 20

const toName = (members: number): string => `${members.toLocaleString('en')} members`
const membersOf = ({ name }: BenchServer): number => (name === toName(SMALL) ? SMALL : LARGE)

type ToPaths = (server: BenchServer) => Promise<readonly string[]> | readonly string[]

const PAGES: Readonly<Record<string, ToPaths>> = {
  'the first page': () => spellings(() => 'itemsPerPage=20'),
  'by cursor, at any depth': (server) => cursors(server, membersOf(server)),
  'by an indexed filter, 100 matches': (server) =>
    spellings((index) => `group=group${index % (membersOf(server) / 100)}`),
  'by an indexed order': () => spellings(() => 'order%5Bname%5D=desc'),
}

const workloads = toWorkloads(PAGES)

export function toWorkloads(pages: Readonly<Record<string, ToPaths>>): Workload[] {
  return Object.entries(pages).map(([name, toPaths]) => ({
    name,
    clients: CONNECTIONS,
    prepare: async (server) =>
      prepareReads(
        server,
        (await toPaths(server)).map((path) => request(path, server.authorized)),
      ),
  }))
}

export async function measureSizes(): Promise<Report> {
  const { folder } = await importThings(SMALL)
  const small = await startHydrant({ name: toName(SMALL), folder })
  const imported = await importThings(LARGE)
  const large = await startHydrant({ name: toName(LARGE), folder: imported.folder })
  const perSecond = LARGE / imported.seconds
  const columns = ['import', 's', 'members a second', 'peak memory, MB']
  const rows = [[toName(LARGE), imported.seconds, perSecond, imported.peakMegabytes]]
  const target = { workload: `import of ${toName(LARGE)}, a second`, measured: perSecond, target: 16_000 }
  const tables = [
    { name: 'import', columns, rows },
    await comparePages(small, large),
    await besideScans(large),
  ]
  return { tables, targets: [target] }
}

async function comparePages(small: BenchServer, large: BenchServer): Promise<Table> {
  const all = await compare({ servers: [small, large], workloads })
  const rows = workloads.map(({ name }) => {
    const [few, many] = [find(all, name, small.name), find(all, name, large.name)]
    return [name, figure(few, 'cost'), figure(many, 'cost'), ratioOf(many, few, 'cost')]
  })
  const columns = ['page of 20', `${small.name}: CPU µs`, `${large.name}: CPU µs`, 'ratio']
  return { name: 'sizes', columns, rows }
}

/** Reads beside searches without an index. */
async function besideScans(server: BenchServer): Promise<Table> {
  const first = await pageOf(server, '?itemsPerPage=1')
  const path = new URL(first.member[0]?.['@id'] ?? '').pathname
  let [asked, answered] = [0, 0]
  const next = (previous?: Answer) => {
    if (previous?.status === 200) answered += 1
    return request(`/api/things?name%5Bcontains%5D=nowhere${asked++}`, server.authorized, [200, 503])
  }
  const others = (milliseconds: number) => load({ port: server.port, connections: SCANS, milliseconds, next })
  const beside = await measureBeside({ server, path, others })
  const name = `beside ${SCANS} \`contains\` queries (${(answered / ROUNDS).toFixed(1)} answered a round)`
  return besideTable('scans', [`reads of a member at ${toName(LARGE)}`, name], beside)
}
