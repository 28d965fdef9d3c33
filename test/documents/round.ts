import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Class, hasCollection, isSingle, type Model } from '../../src/vocabulary/index.ts'
import { type Json, pathOf, type SignedIn, serveSignedIn } from '../api/signed-in.ts'
import type { TestResponse } from '../support/client.ts'
import { valueFor, valuesFor } from './values.ts'

const LD = { 'Content-Type': 'application/ld+json' }
const PATCH = { 'Content-Type': 'application/merge-patch+json' }

/** What was done on each class, as `Drone: create PUT, read, list …`: so that a test sees that nothing was left out. */
export type Done = Map<string, string[]>

/** Serves the model behind a token and does everything with every class that its operations allow. */
export async function doRound(t: TestContext, model: Model): Promise<Done> {
  const service = await serveSignedIn(t, { model })
  const done: Done = new Map()
  const kept = new Map<string, string>()
  const find = (className: string) => kept.get(className)
  for (const cls of linkedFirst(model)) {
    const round = new Round(service, cls, find, done)
    const address = hasCollection(cls) ? await round.inCollection() : undefined
    if (address !== undefined) kept.set(cls.name, address)
    if (isSingle(cls)) await round.alone()
  }
  return done
}

/** A class after those that it must link to. */
function linkedFirst({ classes }: Model): Class[] {
  const sorted: Class[] = []
  const visit = (cls: Class): void => {
    if (sorted.includes(cls)) return
    for (const name of requiredLinks(cls)) {
      const target = classes.find((other) => other.name === name)
      if (target !== undefined && target !== cls) visit(target)
    }
    sorted.push(cls)
  }
  classes.forEach(visit)
  return sorted
}

const requiredLinks = ({ properties }: Class): string[] =>
  properties.flatMap(({ range, required }) => {
    if (range.kind === 'embedded') return requiredLinks(range.cls)
    return range.kind === 'link' && required ? [range.className] : []
  })

class Round {
  readonly #service: SignedIn
  readonly #cls: Class
  readonly #find: (className: string) => string | undefined
  readonly #done: string[] = []

  constructor(service: SignedIn, cls: Class, find: (className: string) => string | undefined, done: Done) {
    this.#service = service
    this.#cls = cls
    this.#find = find
    done.set(cls.name, this.#done)
  }

  /** Returns the address of a member that stays, for others to link to. */
  async inCollection(): Promise<string | undefined> {
    const { operations, methods, collection } = this.#cls
    const path = `/${collection}`
    if (operations.has('list')) await this.#list(path, [])
    else await this.#refused('GET', path)
    if (!operations.has('create')) return undefined
    await this.#refuseReadOnly(methods.create[0] ?? 'POST', path)

    const addresses: string[] = []
    for (const method of methods.create) addresses.push(await this.#create(method, path, addresses.length))
    const last = await this.#create(methods.create[0] ?? 'POST', path, 7)
    if (operations.has('list')) await this.#list(path, [...addresses, last])
    for (const method of ['POST', 'PUT'] as const) {
      if (!methods.create.includes(method)) await this.#refused(method, path)
    }
    await this.#change(pathOf(this.#service.base, last))
    if (operations.has('delete')) await this.#remove(pathOf(this.#service.base, last))
    return addresses[0]
  }

  /** At an address that is known beforehand. */
  async alone(): Promise<void> {
    const { operations, methods, name } = this.#cls
    const path = `/${name}`
    if (operations.has('read')) assert.equal((await this.#service.get(path)).status, 404)
    if (!operations.has('create')) return
    const body = valuesFor(this.#cls, 1, this.#find)
    const created = await this.#send(methods.create[0] ?? 'PUT', path, body)
    assert.equal(created.status, 201, created.body)
    this.#done.push(`create ${methods.create[0]}`)
    await this.#readBack(path, body)
    await this.#change(path)
    if (operations.has('delete')) await this.#remove(path)
  }

  async #create(method: string, path: string, round: number): Promise<string> {
    const body = valuesFor(this.#cls, round, this.#find)
    const created = await this.#send(method, path, body)
    assert.equal(created.status, 201, created.body)
    const address = String(created.json()['@id'])
    assert.equal(created.headers.location, address)
    assert.match(created.headers.etag ?? '', /^"/)
    this.#agrees(created.json(), body)
    await this.#readBack(pathOf(this.#service.base, address), body)
    this.#done.push(`create ${method}`)
    return address
  }

  /** PATCH and every method that replaces. */
  async #change(path: string): Promise<void> {
    const { operations, methods, properties } = this.#cls
    const changing = properties.find(({ writable, range }) => writable && range.kind === 'datatype')
    if (operations.has('update') && changing !== undefined) {
      const patch = { [changing.name]: valueFor(changing, 3, this.#find) }
      const patched = await this.#service.send('PATCH', path, PATCH, JSON.stringify(patch))
      assert.equal(patched.status, 200, patched.body)
      await this.#readBack(path, patch)
      this.#done.push('update')
    } else if (!operations.has('update')) {
      await this.#refused('PATCH', path)
    }
    for (const [index, method] of (['POST', 'PUT'] as const).entries()) {
      const single = isSingle(this.#cls) && operations.has('create') && methods.create.includes(method)
      if (operations.has('replace') && methods.replace.includes(method)) {
        const body = valuesFor(this.#cls, 4 + index, this.#find)
        const replaced = await this.#send(method, path, body)
        assert.equal(replaced.status, 200, replaced.body)
        await this.#readBack(path, body)
        this.#done.push(`replace ${method}`)
      } else if (!single) {
        await this.#refused(method, path)
      }
    }
  }

  async #remove(path: string): Promise<void> {
    const removed = await this.#service.send('DELETE', path)
    assert.equal(removed.status, 204, removed.body)
    if (this.#cls.operations.has('read')) assert.equal((await this.#service.get(path)).status, 404)
    this.#done.push('delete')
  }

  async #list(path: string, addresses: readonly string[]): Promise<void> {
    const listed = await this.#service.get(path)
    assert.equal(listed.status, 200, listed.body)
    const { totalItems, member } = listed.json() as { totalItems: number; member: Json[] }
    assert.equal(totalItems, addresses.length)
    assert.deepEqual(
      member.map((one) => one['@id']),
      addresses,
    )
    if (addresses.length > 0) this.#done.push('list')
  }

  async #readBack(path: string, expected: Json): Promise<void> {
    if (!this.#cls.operations.has('read')) return
    const read = await this.#service.get(path)
    assert.equal(read.status, 200, read.body)
    this.#agrees(read.json(), expected)
    this.#done.push('read')
  }

  #agrees(read: Json, expected: Json): void {
    assert.equal(read['@type'], this.#cls.name)
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, read[name]])), expected)
  }

  /** Only the operations that the document declares exist. */
  async #refused(method: string, path: string): Promise<void> {
    const { status, headers, body } = await this.#send(method, path, {})
    assert.equal(status, 405, `${method} ${path}: ${body}`)
    assert.ok(!(headers.allow ?? '').split(', ').includes(method), headers.allow)
  }

  async #refuseReadOnly(method: string, path: string): Promise<void> {
    const property = this.#cls.properties.find(
      ({ writable, range }) => !writable && range.kind === 'datatype',
    )
    if (property === undefined) return
    const body = {
      ...valuesFor(this.#cls, 1, this.#find),
      [property.name]: valueFor(property, 1, this.#find),
    }
    const refused = await this.#send(method, path, body)
    assert.equal(refused.status, 422, refused.body)
    assert.match(refused.body, new RegExp(property.name))
    this.#done.push('read-only refused')
  }

  #send(method: string, path: string, body: Json): Promise<TestResponse> {
    return this.#service.send(method, path, LD, JSON.stringify(body))
  }
}
