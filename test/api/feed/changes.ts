import assert from 'node:assert/strict'
import { CREATE } from '../newsroom.ts'
import type { Json, SignedIn } from '../signed-in.ts'

export const LD = { 'Content-Type': 'application/ld+json' }

export const PATCH = { 'Content-Type': 'application/merge-patch+json' }

export interface EventsPage extends Json {
  readonly member: readonly (Json & { readonly object: Json })[]
  readonly view: { readonly '@id': string; readonly next: string }
}

export const pageAt = async (service: SignedIn, path: string): Promise<EventsPage> => {
  const response = await service.get(path)
  assert.equal(response.status, 200, response.body)
  return response.json() as EventsPage
}

export const idOf = (event: Json | undefined) => String(event?.['@id']).split('#')[1] ?? ''

/** Three changes of a book and one of an author. */
export async function change({ send }: SignedIn): Promise<void> {
  for (const [method, path, body, headers] of [
    ['PUT', '/books/1', { title: 'One' }, { ...LD, ...CREATE }],
    ['PUT', '/authors/ann', { name: 'Ann' }, { ...LD, ...CREATE }],
    ['PATCH', '/books/1', { title: 'Two' }, PATCH],
    ['DELETE', '/books/1', undefined, {}],
  ] as const) {
    const { status, body: text } = await send(method, path, headers, body && JSON.stringify(body))
    assert.ok(status < 300, text)
  }
}

/** `Create /books/1` of each event. */
export const shown = ({ base }: Pick<SignedIn, 'base'>, events: readonly Json[]) =>
  events.map((event) => {
    const { '@id': address } = event.object as { '@id': string }
    return `${event['@type']} ${address.slice(base.length)}`
  })
