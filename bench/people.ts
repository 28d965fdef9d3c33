// What pages cost under a rule that follows a link among 1,000,000 members, and with a property for some cut out, beside
// pages of everything: three users of one server (people.md).
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Report } from './report.ts'
import { compare, figure, find, flags, ratioOf } from './rounds.ts'
import { fill, newFolder, PARAPHRASE, runHydrant, signIn, startHydrant } from './servers.ts'
import { toWorkloads } from './sizes.ts'
import { cursors, spellings } from './things.ts'

const MEMBERS = flags.short ? 10_000 : 1_000_000
/** Every so many members one is assigned to the user: nowhere do two of them stand side by side. */
const EVERY = 100
const [ALL, LINKED, CUT] = ['all members', 'those that link to the user', 'all without a property']
const API = `
title: Things of people
roles: [keeper, reader]
classes:
  Thing:
    access: { view: [keeper, reader, assignee], write: keeper }
    properties:
      name: { type: string, required: true }
      rate: { type: decimal, view: keeper, write: keeper }
      size: integer
      assignee: Account
`

const workloads = toWorkloads({
  'the first page': () => spellings(() => 'itemsPerPage=20'),
  'by cursor, at any depth': (server) => cursors(server, server.name === LINKED ? MEMBERS / EVERY : MEMBERS),
})

export async function measurePeople(): Promise<Report> {
  const folder = newFolder()
  writeFileSync(join(folder, 'api.yaml'), API)
  const addUser = (id: string, ...flags: string[]) =>
    runHydrant(['user', 'add', id, ...flags], folder, { input: `${PARAPHRASE}\n` })
  await addUser('2', '--role', 'keeper')
  await addUser('3', '--role', 'reader')
  await addUser('4')
  await writeData(join(folder, 'data.ndjson'))
  await fill(folder)
  const server = await startHydrant({ name: ALL, folder })
  const as = async (name: string, user: number) => ({
    ...server,
    name,
    authorized: await signIn(server.port, user),
  })
  const servers = [await as(ALL, 2), await as(LINKED, 4), await as(CUT, 3)]
  const measured = await compare({ servers, workloads })
  const of = (name: string, server: string) => find(measured, name, server)
  const ratio = (name: string, server: string) =>
    ratioOf(of(name, server), of(name, ALL), 'cost') ?? Number.NaN
  const rows = workloads.map(({ name }) => [
    name,
    ...[ALL, LINKED, CUT].map((server) => figure(of(name, server), 'cost')),
    ...[LINKED, CUT].map((server) => ratio(name, server)),
  ])
  const columns = [
    'page of 20',
    ...[ALL, LINKED, CUT].map((one) => `${one}: CPU µs`),
    'linked, ratio',
    'cut, ratio',
  ]
  const target = (server: string, most: number) =>
    workloads.map(({ name }) => ({
      workload: `${name}: ${server} among ${MEMBERS.toLocaleString('en')}, of all members`,
      measured: ratio(name, server),
      target: most,
      most: true,
    }))
  return {
    tables: [{ name: 'people', columns, rows }],
    targets: [...target(LINKED, 1.3), ...target(CUT, 1.5)],
  }
}

async function writeData(path: string): Promise<void> {
  const file = createWriteStream(path)
  for (let index = 0; index < MEMBERS; index += 1) {
    const assignee = index % EVERY === 0 ? ',"assignee":4' : ''
    const line = `{"@type":"Thing","name":"The thing with number ${index}","rate":"${index % 97}.5","size":${index}${assignee}}\n`
    if (!file.write(line)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}
