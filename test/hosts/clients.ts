import { setTimeout as wait } from 'node:timers/promises'
import type { TestResponse } from '../support/client.ts'
import { versionOf } from './observers.ts'
import type { Host, Rotation } from './rotation.ts'

/** What writers and readers send, and how often. */
export interface ClientOptions {
  readonly token: string
  /** The collection that is written to, such as `/notes`: of a class with the properties `text` and `number`. */
  readonly collection: string
  /** Between two requests of a writer or reader. */
  readonly pauseMs?: number
  /** More values for a member, as far as the host's API file knows them. */
  readonly more?: (host: Host) => Readonly<Record<string, unknown>>
  /** Further paths that readers ask for, in turn. */
  readonly reads?: (host: Host) => readonly string[]
  /** Responses of 5xx that are right: the 503 of a filter that is not ready. */
  readonly isExpected?: (response: TestResponse, path: string, host: Host) => boolean
}

/** A member of one writer; no other client writes to it. */
export interface WrittenMember {
  readonly path: string
  /** What was acknowledged, in order, as streams report it: `create 1`, `update 2`, `delete`. */
  readonly changes: string[]
  etag: string
  text: string
  /** A write without a response may have been carried out: nothing more is sent to the member. */
  isUncertain: boolean
  isDeleted: boolean
}

/** What clients have seen that must not be. */
export interface Findings {
  readonly serverErrors: string[]
  /** Stale reads, refused writes, missed events. */
  readonly wrong: string[]
  /** Requests without a response. */
  readonly cut: string[]
}

type Step = readonly [kind: 'create' | 'update' | 'delete', method: string, text: string]

const DONE = { create: 201, update: 200, delete: 204 } as const

/** Writers and readers, each of whose requests goes to another host. */
export class Clients {
  readonly findings: Findings = { serverErrors: [], wrong: [], cut: [] }
  readonly members: WrittenMember[] = []
  readonly counts = { writes: 0, reads: 0 }
  readonly #rotation: Rotation
  readonly #options: ClientOptions
  #isOn = true

  constructor(rotation: Rotation, options: ClientOptions) {
    this.#rotation = rotation
    this.#options = options
  }

  stop(): void {
    this.#isOn = false
  }

  /** Creates members, changes and replaces each, and deletes every other one. */
  async write(writer: number): Promise<void> {
    for (let round = 0; this.#isOn; round += 1) {
      const path = `${this.#options.collection}/${writer}-${round}`
      const member = { path, changes: [], etag: '', text: '', isUncertain: false, isDeleted: false }
      this.members.push(member)
      for (const step of stepsOf(writer, round)) if (!(await this.#take(member, step, writer))) break
    }
  }

  /** Reads members, none of which may be older than its writer knew when the request was sent; and pages. */
  async read(reader: number): Promise<void> {
    for (let round = 0; this.#isOn; round += 1) {
      const member = this.members.at(-1 - ((round * 7 + reader) % 20))
      if (member !== undefined) await this.#readMember(member)
      const host = this.#rotation.next()
      const page = `${this.#options.collection}?itemsPerPage=5&number=${reader}`
      const paths = [page, ...(this.#options.reads?.(host) ?? [])]
      const path = paths[round % paths.length] ?? page
      const response = await this.#ask(host, 'GET', path)
      if (response !== undefined && response.status !== 200)
        this.findings.wrong.push(`GET ${path}: ${response.status} ${response.body}`)
    }
  }

  /** After everything: each member as its writer has left it. */
  async check(member: WrittenMember): Promise<void> {
    const { path, isUncertain, isDeleted, changes, etag, text } = member
    if (isUncertain || changes.length === 0) return
    const response = await this.#ask(this.#rotation.next(), 'GET', path)
    if (response === undefined) return
    const isAsLeft = isDeleted
      ? [404, 410].includes(response.status)
      : response.status === 200 &&
        versionOf(response.headers.etag) === versionOf(etag) &&
        response.json().text === text
    if (!isAsLeft)
      this.findings.wrong.push(`lost: ${path} ${etag} ${text}: ${response.status} ${response.body}`)
  }

  async #readMember(member: WrittenMember): Promise<void> {
    const known = versionOf(member.etag)
    const response = await this.#ask(this.#rotation.next(), 'GET', member.path)
    if (response === undefined || member.isDeleted || known === 0) return
    const found = versionOf(response.headers.etag)
    if (found < known)
      this.findings.wrong.push(
        `stale: GET ${member.path}: ${response.status}, version ${found} after ${known}`,
      )
  }

  /** Whether the write was acknowledged. */
  async #take(member: WrittenMember, [kind, method, text]: Step, number: number): Promise<boolean> {
    const host = this.#rotation.next()
    const condition = kind === 'create' ? { 'If-None-Match': '*' } : { 'If-Match': member.etag }
    const values = { text, number, ...(method === 'PUT' ? this.#options.more?.(host) : {}) }
    // Before the request: a reader may find it deleted from now on.
    if (kind === 'delete') member.isDeleted = true
    const response = await this.#ask(
      host,
      method,
      member.path,
      condition,
      kind === 'delete' ? undefined : values,
    )
    if (response === undefined) {
      member.isUncertain = true
      return false
    }
    if (response.status !== DONE[kind]) {
      this.findings.wrong.push(`${method} ${member.path}: ${response.status} ${response.body}`)
      member.isUncertain = true
      return false
    }
    this.counts.writes += 1
    member.text = text
    member.etag = response.headers.etag ?? ''
    member.changes.push(kind === 'delete' ? kind : `${kind} ${versionOf(member.etag)}`)
    return true
  }

  /** Undefined if no response has come, or one of 5xx. */
  async #ask(
    host: Host,
    method: string,
    path: string,
    headers = {},
    body?: object,
  ): Promise<TestResponse | undefined> {
    const { token, pauseMs = 5, isExpected } = this.#options
    const all = { 'X-Authorization': token, 'Content-Type': 'application/json', ...headers }
    try {
      const response = await host.client.send(method, path, all, body && JSON.stringify(body))
      if (method === 'GET') this.counts.reads += 1
      if (response.status < 500) return response
      if (!isExpected?.(response, path, host))
        this.findings.serverErrors.push(
          `${method} ${path}: ${response.status} ${response.body}${reasonOf(host, response.body)}`,
        )
    } catch (error) {
      this.findings.cut.push(`${method} ${path}: ${error}`)
    } finally {
      await wait(pauseMs)
    }
    return undefined
  }
}

function stepsOf(writer: number, round: number): Step[] {
  const steps: Step[] = [
    ['create', 'PUT', `${writer} ${round} first`],
    ['update', 'PATCH', `${writer} ${round} second`],
    ['update', 'PUT', `${writer} ${round} third`],
  ]
  return round % 2 === 0 ? steps : [...steps, ['delete', 'DELETE', '']]
}

/** What the log of a host has under the id of a fault. */
function reasonOf(host: Host, body: string): string {
  const [id] = /[\da-f]{8}-[\da-f-]{27}/.exec(body) ?? []
  const lines = id === undefined ? [] : host.log().split('\n')
  return lines.filter((line) => line.includes(id as string)).join('\n')
}
