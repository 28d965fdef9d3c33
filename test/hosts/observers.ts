import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startReceiver, verify } from '../support/receiver.ts'
import { temporaryFolder } from '../support/service.ts'
import { type OpenStream, openStream, type StreamEvent } from '../support/streams.ts'
import { BASE, type Rotation } from './rotation.ts'

/** A change as an observer has got it: `/notes/1 update "2-x"`, `/notes/1 delete`. */
export type ObservedLine = string

/** A follower in the hosts themselves: a webhook, of which one host at a time sends. */
export interface Follower {
  /** For the plans of all hosts: the arguments of `hydrant serve`. */
  readonly flags: readonly string[]
  /** In the order in which they came, each event once: it may arrive again, when its host stops before it is noted. */
  readonly lines: readonly ObservedLine[]
}

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

/** `classes`: those that are followed. */
export async function startFollower(t: TestContext, classes: readonly string[]): Promise<Follower> {
  const lines: ObservedLine[] = []
  const seen = new Set<string>()
  const receiver = await startReceiver(t, (request) => {
    const event = verify(SECRET, request) as unknown as Event
    const id = String(request.headers['webhook-id'])
    if (!seen.has(id)) lines.push(lineOf(event['@type'].toLowerCase(), event))
    seen.add(id)
    return 204
  })
  const folder = temporaryFolder(t)
  const list = join(folder, 'webhooks.yaml')
  writeFileSync(join(folder, 'secret'), SECRET, { mode: 0o600 })
  writeFileSync(
    list,
    `- { name: follower, url: "${receiver.url()}", classes: [${classes.join(', ')}], secretFile: secret }\n`,
  )
  return { flags: ['--webhooks', list], lines }
}

/** The feed of some host, resumed on another one where it was when its host stops. */
export class ObservedStream {
  readonly #rotation: Rotation
  readonly #token: string
  readonly #former: ObservedLine[] = []
  readonly #over: Promise<void>
  #stream: OpenStream
  #isStopped = false
  /** Responses that are no streams. */
  readonly refused: string[] = []

  constructor(rotation: Rotation, token: string) {
    this.#rotation = rotation
    this.#token = token
    this.#stream = this.#open(undefined)
    this.#over = this.#follow()
  }

  /** Until it reports every change from now on. */
  async started(): Promise<void> {
    await this.#stream.until(1)
  }

  get lines(): ObservedLine[] {
    return [...this.#former, ...linesOf(this.#stream.events)]
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stream.cut()
    await this.#over
  }

  #open(lastId: string | undefined): OpenStream {
    const headers = { 'X-Authorization': this.#token, ...(lastId && { 'Last-Event-ID': lastId }) }
    return openStream(this.#rotation.next(), '', headers)
  }

  async #follow(): Promise<void> {
    for (;;) {
      await this.#stream.closed
      if (this.#isStopped) return
      const { refused, lastId, events } = this.#stream
      if (refused !== undefined) {
        this.refused.push(`${refused.status} ${refused.body}`)
        await wait(100)
      }
      this.#former.push(...linesOf(events))
      this.#stream = this.#open(lastId)
    }
  }
}

interface Event {
  readonly '@type': string
  readonly object: { readonly '@id': string }
  readonly etag?: string
}

/** Without `start` and `end`. */
const linesOf = (events: readonly StreamEvent[]): ObservedLine[] =>
  events
    .filter(({ data }) => data.object !== undefined)
    .map(({ type, data }) => lineOf(type, data as unknown as Event))

const lineOf = (type: string, { object, etag }: Event): ObservedLine =>
  [object['@id'].slice(BASE.length), type, ...(type === 'delete' ? [] : [versionOf(etag)])].join(' ')

/** The rest of an ETag depends on the API file of the host. */
export const versionOf = (etag = ''): number => Number(/^"(\d+)-/.exec(etag)?.[1] ?? 0)
