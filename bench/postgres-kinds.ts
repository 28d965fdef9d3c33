// The requests that are measured on PostgreSQL, and what is known of them afterwards.
import { CONNECTIONS } from './rounds.ts'
import { cursors, cycle, pageOf, spellings } from './thing-pages.ts'
import type { ThingServer } from './things.ts'

export const MANY_CLIENTS = 32

/** What is compared: a store with so many server processes. */
export interface Setup {
  readonly store: 'SQLite' | 'PostgreSQL'
  readonly processes: number
}

/** Of one kind of request in one round. Costs are microseconds of processor time for a request. */
export interface Sample {
  readonly rate: number
  readonly hydrantCost: number
  /** 0 where there is none. */
  readonly postgresCost: number
}

export interface Kind {
  readonly name: string
  readonly clients: number
  readonly status: number
  /** What is asked for, one after the other. */
  prepare(server: ThingServer, authorized: string): Promise<() => string>
}

export interface Measured {
  readonly kind: Kind
  readonly setup: Setup
  readonly samples: Sample[]
}

const creating = (name: string, clients: number): Kind => ({
  name,
  clients,
  status: 201,
  prepare: async (_, authorized) => () => createRequest(authorized),
})

export const KINDS: readonly Kind[] = [
  { name: 'member', clients: CONNECTIONS, status: 200, prepare: members },
  {
    name: 'page of 20, the first',
    clients: CONNECTIONS,
    status: 200,
    prepare: async (_, authorized) =>
      cycle(
        spellings(() => 'itemsPerPage=20'),
        authorized,
      ),
  },
  {
    name: 'page of 20, by cursor',
    clients: CONNECTIONS,
    status: 200,
    prepare: async (server, authorized) => cycle(await cursors(server, authorized), authorized),
  },
  creating('create', 1),
  creating('create', MANY_CLIENTS),
]

async function members(server: ThingServer, authorized: string): Promise<() => string> {
  const { member } = await pageOf(server, '?itemsPerPage=100', authorized)
  return cycle(
    member.map(({ '@id': id }) => new URL(id).pathname),
    authorized,
  )
}

let created = 0

function createRequest(authorized: string): string {
  created += 1
  const body = `{"name":"The thing that was created as number ${created}","group":"created${created % 100}","size":${created}}`
  return (
    `POST /api/things HTTP/1.1\r\nHost: localhost\r\n${authorized}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}
