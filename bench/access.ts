// What a page of one's own members costs among 1,000,000 of others, beside a page of all: two users of one server.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Report } from './report.ts'
import { compare, figure, find, flags, ratioOf } from './rounds.ts'
import { PARAPHRASE, runHydrant, signIn, startHydrant } from './servers.ts'
import { toWorkloads } from './sizes.ts'
import { cursors, importThings, spellings } from './things.ts'

const MEMBERS = flags.short ? 10_000 : 1_000_000
/** Every so many members one belongs to the user: nowhere do two of them stand side by side. */
const EVERY = 100
const [ALL, OWN] = ['all members', 'own members']
const RULES = 'roles: [editor]\naccess: { all: [editor, owner], create: everyone }\n'

const workloads = toWorkloads({
  'the first page': () => spellings(() => 'itemsPerPage=20'),
  'by cursor, at any depth': (server) => cursors(server, server.name === ALL ? MEMBERS : MEMBERS / EVERY),
})

export async function measureAccess(): Promise<Report> {
  const { folder } = await importThings(MEMBERS, RULES)
  await runHydrant(['user', 'add', '2', '--role', 'editor'], folder, { input: `${PARAPHRASE}\n` })
  giveToUser(folder)
  const own = await startHydrant({ name: OWN, folder })
  const all = { ...own, name: ALL, authorized: await signIn(own.port, 2) }
  const measured = await compare({ servers: [all, own], workloads })
  const of = (name: string, server: string) => find(measured, name, server)
  const ratios = workloads.map(({ name }) => ratioOf(of(name, OWN), of(name, ALL), 'cost'))
  const rows = workloads.map(({ name }, index) => [
    ...[name, figure(of(name, ALL), 'cost'), figure(of(name, OWN), 'cost')],
    ratios[index] ?? Number.NaN,
  ])
  const columns = ['page of 20', `${ALL}: CPU µs`, `${OWN}: CPU µs`, 'ratio']
  const targets = workloads.map(({ name }, index) => ({
    workload: `${name}: own members among ${MEMBERS.toLocaleString('en')}, of all members`,
    measured: ratios[index] ?? Number.NaN,
    target: 1.2,
    most: true,
  }))
  return { tables: [{ name: 'access', columns, rows }], targets }
}

/** An import has one owner, whose members are then side by side. */
function giveToUser(folder: string): void {
  const db = new DatabaseSync(join(folder, 'bench.db'))
  db.exec(`
    UPDATE members_1 SET owner = (SELECT number FROM users WHERE id = 1) WHERE sequence % ${EVERY} = 0;
    UPDATE keys_1 SET owner = (SELECT number FROM users WHERE id = 1) WHERE sequence % ${EVERY} = 0;
    INSERT INTO owned_1 SELECT owner, sequence, id, version, body, holes FROM members_1 WHERE owner IS NOT NULL;
    INSERT INTO owner_totals SELECT 1, owner, count(*) FROM members_1 WHERE owner IS NOT NULL GROUP BY owner;
  `)
  db.close()
}
