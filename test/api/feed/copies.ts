import assert from 'node:assert/strict'
import { openStream } from '../../support/streams.ts'
import type { Json } from '../signed-in.ts'
import type { EventsPage } from './changes.ts'
import { PEOPLE, type Person, type Studio } from './studio.ts'

export const COLLECTIONS = ['projects', 'folders', 'tasks', 'notes', 'pages', 'topics'] as const

/** What a user keeps of the API: the addresses of the members, as lists and events have told them. */
export interface Copy {
  readonly person: Person
  readonly addresses: Set<string>
  /** Every member that an event was about. */
  readonly told: Set<string>
  readonly ended: Promise<void>
  stop(): void
}

/** The addresses that the lists of a user show. */
export async function listed({ as }: Studio, person: Person, names: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(
    names.map(async (name) => {
      const response = await as[person].send('GET', `/${name}?itemsPerPage=100`)
      // A class of which a user may see nothing has no list.
      return response.status === 403 ? [] : (response.json() as { member: Json[] }).member
    }),
  )
  return pages.flat().map((member) => String(member['@id']))
}

function createCopy(studio: Studio, person: Person) {
  const [addresses, told] = [new Set<string>(), new Set<string>()]

  /** Replaces what the copy has of a collection. */
  async function read(name: string): Promise<void> {
    const found = await listed(studio, person, [name])
    for (const address of addresses)
      if (address.startsWith(`${studio.base}/${name}/`)) addresses.delete(address)
    for (const address of found) addresses.add(address)
  }

  return {
    addresses,
    told,
    async readAll() {
      for (const name of COLLECTIONS) await read(name)
    },
    async apply(type: string, { object }: Json): Promise<void> {
      const address = String((object as Json)['@id'])
      if (type === 'resync') return read(address.slice(studio.base.length + 1))
      told.add(address)
      if (type === 'delete') addresses.delete(address)
      else addresses.add(address)
    },
  }
}

/** Follows a stream, which is cut after some bytes, again and again. */
export function followByStream(studio: Studio, person: Person, bytes: () => number): Copy {
  const copy = createCopy(studio, person)
  let isStopped = false
  let open: ReturnType<typeof openStream> | undefined

  async function follow(): Promise<void> {
    const token = await studio.client.signIn(PEOPLE[person][0])
    let id: string | undefined
    while (!isStopped) {
      const headers = { 'X-Authorization': token, ...(id !== undefined && { 'Last-Event-ID': id }) }
      open = openStream(studio, '', headers, { after: bytes() })
      for (let next = 0; ; next += 1) {
        const isOver = await open.until(next + 1).then(
          () => false,
          () => true,
        )
        const event = open.events[next]
        if (isOver || event === undefined) break
        if (event.type !== 'start') await copy.apply(event.type, event.data)
        else if (id === undefined) await copy.readAll()
        id = event.id
      }
      assert.equal(open.refused, undefined)
    }
  }

  return {
    ...copy,
    person,
    ended: follow(),
    stop() {
      isStopped = true
      open?.cut()
    },
  }
}

/** Follows pages of few events. */
export function followByPages(studio: Studio, person: Person, size: () => number): Copy {
  const copy = createCopy(studio, person)
  let isStopped = false

  async function page(path: string): Promise<EventsPage> {
    const response = await studio.as[person].send('GET', path)
    assert.equal(response.status, 200, response.body)
    return response.json() as EventsPage
  }

  async function follow(): Promise<void> {
    let { view } = await page('/events')
    await copy.readAll()
    while (!isStopped) {
      const after = new URL(view.next).searchParams.get('after')
      const next = await page(`/events?itemsPerPage=${size()}&after=${after}`)
      for (const event of next.member) await copy.apply(String(event['@type']).toLowerCase(), event)
      if (next.member.length === 0) await new Promise((resolve) => setTimeout(resolve, 100))
      view = next.view
    }
  }

  return {
    ...copy,
    person,
    ended: follow(),
    stop() {
      isStopped = true
    },
  }
}
