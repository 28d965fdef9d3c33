// What requests feel of a changed API file (hosts.md): a class of 1,000,000 members has got a filterable property with a
// default, which is filled in while the class is read and written; beside a server whose file has not changed.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPostgresServer } from '../test/support/postgres-server.ts'
import type { Question } from './load.ts'
import type { Report } from './report.ts'
import { compare, figure, find, flags, ratioOf } from './rounds.ts'
import { type BenchServer, fill, newFolder, startHydrant, stopAll } from './servers.ts'
import { importThings, pageOf } from './things.ts'
import { prepareReads, request, type Workload } from './workloads.ts'

const MEMBERS = flags.short ? 20_000 : 1_000_000
const CLIENTS = 4
const CHANGED = '      state: { type: string, default: open }\n'

let created = 0

const WORKLOADS: readonly Workload[] = [
  {
    name: `a member, ${CLIENTS} clients`,
    clients: CLIENTS,
    async prepare(server) {
      const { member } = await pageOf(server, '?itemsPerPage=1')
      return prepareReads(server, [request(new URL(member[0]?.['@id'] ?? '').pathname, server.authorized)])
    },
  },
  {
    name: `durable create, ${CLIENTS} clients`,
    clients: CLIENTS,
    prepare: async (server) => nextThing(server),
  },
]

const nextThing =
  ({ authorized }: BenchServer) =>
  (): Question => {
    const sent = JSON.stringify({ name: `thing ${++created}`, group: 'created' })
    const headers = `${authorized}Content-Type: application/json\r\nContent-Length: ${sent.length}\r\n`
    return { text: `POST /api/things HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${sent}`, statuses: [201] }
  }

export async function measureConversion(members = MEMBERS): Promise<Report> {
  const { folder } = await importThings(members)
  const changed = newFolder()
  cpSync(folder, changed, { recursive: true })
  const database = await createPostgresServer()
  const onPostgres = (schema: string) => `${database.url}?search_path=${schema}`
  try {
    const rows = [...(await compareFiles('SQLite', folder, changed))]
    for (const schema of ['alone', 'converted']) await fill(folder, onPostgres(schema))
    rows.push(
      ...(await compareFiles('PostgreSQL', folder, changed, onPostgres('alone'), onPostgres('converted'))),
    )
    const columns = ['request', 'store', 'alone: p99 ms', 'while members are converted: p99 ms', 'ratio']
    const targets = rows.map(([workload, store, , , ratio]) => ({
      ...{ workload: `${workload}, ${store}: p99 while members are converted, of alone` },
      ...{ measured: ratio, target: 1.5, most: true },
    }))
    return { tables: [{ name: 'conversion', columns, rows }], targets }
  } finally {
    await stopAll()
    await database.remove()
  }
}

type Row = readonly [workload: string, store: string, alone: number, converted: number, ratio: number]

async function compareFiles(
  store: string,
  folder: string,
  changed: string,
  aloneDb?: string,
  convertedDb?: string,
): Promise<Row[]> {
  const file = join(changed, 'api.yaml')
  const api = readFileSync(join(folder, 'api.yaml'), 'utf8')
  const of = (db: string | undefined) => (db === undefined ? {} : { db })
  const alone = await startHydrant({ name: 'alone', folder, ...of(aloneDb) })
  // Once with the former file: from then on, the database knows what has changed.
  const former = await startHydrant({ name: 'former', folder: changed, ...of(convertedDb) })
  await former.stop()
  writeFileSync(file, `${api.trimEnd()}\n${CHANGED}`)
  const converted = await startHydrant({ name: 'converted', folder: changed, ...of(convertedDb) })
  const measured = await compare({ servers: [alone, converted], workloads: WORKLOADS, isAlone: true })
  writeFileSync(file, api)
  await stopAll()
  return WORKLOADS.map(({ name }) => {
    const [first, second] = [find(measured, name, 'alone'), find(measured, name, 'converted')]
    return [name, store, figure(first, 'p99'), figure(second, 'p99'), ratioOf(second, first, 'p99')]
  })
}
