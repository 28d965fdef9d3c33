// What pages cost under a rule that follows a link among 1,000,000 members, and with a property for some cut out, beside
// pages of everything: four users of one server (people.md).
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
/** Every so many members one is assigned to each of two users: nowhere do two of them stand side by side. */
const EVERY = 100
const ALL = 'all members'
const LINKED = 'those that link to the user'
const CUT = 'all without a property'
const BOTH = 'linked, without a property'
/** Each with the ratio that is aimed at, of all members. */
const LIMITED: Readonly<Record<string, number>> = { [LINKED]: 1.3, [CUT]: 1.5, [BOTH]: 1.5 }
const API = `
title: Things of people
roles: [keeper, reader, estimator]
classes:
  Thing:
    access: { view: [keeper, reader, assignee], write: keeper }
    properties:
      name: { type: string, required: true }
      rate: { type: decimal, view: [keeper, estimator], write: keeper }
      size: integer
      assignee: Account
`

const workloads = toWorkloads({
  'the first page': () => spellings(() => 'itemsPerPage=20'),
  'by cursor, at any depth': (server) =>
    cursors(server, [LINKED, BOTH].includes(server.name) ? MEMBERS / EVERY : MEMBERS),
})

export async function measurePeople(): Promise<Report> {
  const folder = newFolder()
  writeFileSync(join(folder, 'api.yaml'), API)
  const addUser = (id: string, ...flags: string[]) =>
    runHydrant(['user', 'add', id, ...flags], folder, { input: `${PARAPHRASE}\n` })
  await addUser('2', '--role', 'keeper')
  await addUser('3', '--role', 'reader')
  await addUser('4', '--role', 'estimator')
  await addUser('5')
  await writeData(join(folder, 'data.ndjson'))
  await fill(folder)
  const server = await startHydrant({ name: ALL, folder })
  const as = async (name: string, user: number) => ({
    ...server,
    name,
    authorized: await signIn(server.port, user),
  })
  const servers = [await as(ALL, 2), await as(LINKED, 4), await as(CUT, 3), await as(BOTH, 5)]
  const measured = await compare({ servers, workloads })
  const of = (name: string, server: string) => find(measured, name, server)
  const ratio = (name: string, server: string) =>
    ratioOf(of(name, server), of(name, ALL), 'cost') ?? Number.NaN
  const limited = Object.keys(LIMITED)
  const rows = workloads.flatMap(({ name }) => [
    [name, ALL, figure(of(name, ALL), 'cost'), 1],
    ...limited.map((server) => [name, server, figure(of(name, server), 'cost'), ratio(name, server)]),
  ])
  const targets = Object.entries(LIMITED).flatMap(([server, target]) =>
    workloads.map(({ name }) => ({
      workload: `${name}: ${server} among ${MEMBERS.toLocaleString('en')}, of all members`,
      measured: ratio(name, server),
      target,
      most: true,
    })),
  )
  const columns = ['page of 20', 'members', 'CPU µs', 'of all members']
  return { tables: [{ name: 'people', columns, rows }], targets }
}

async function writeData(path: string): Promise<void> {
  const file = createWriteStream(path)
  for (let index = 0; index < MEMBERS; index += 1) {
    const place = index % EVERY
    const assignee = place === 0 ? ',"assignee":4' : place === EVERY / 2 ? ',"assignee":5' : ''
    const line = `{"@type":"Thing","name":"The thing with number ${index}","rate":"${index % 97}.5","size":${index}${assignee}}\n`
    if (!file.write(line)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}
