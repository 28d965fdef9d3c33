import type { TestContext } from 'node:test'
import type { Headers, TestResponse } from '../support/client.ts'
import { type ServiceOptions, serve, type TestService } from '../support/service.ts'
import { addUsers } from '../support/users.ts'

/** What one user sends; a string goes as it is, anything else as JSON. */
export interface Visitor {
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
}

export interface SeveralUsers<Name extends string>
  extends TestService,
    Readonly<Record<'as', Record<Name, Visitor>>> {}

const TYPES: Readonly<Record<string, string>> = {
  POST: 'application/ld+json',
  PUT: 'application/ld+json',
  PATCH: 'application/merge-patch+json',
}

/** A service with users of these names, ids and roles, each signed in. */
export async function serveUsers<Name extends string>(
  t: TestContext,
  users: Readonly<Record<Name, readonly [id: number, ...roles: string[]]>>,
  options: ServiceOptions,
): Promise<SeveralUsers<Name>> {
  const service = await serve(t, options)
  const all: [string, Visitor][] = []
  for (const [name, [id, ...roles]] of Object.entries(users) as [Name, [number, ...string[]]][]) {
    await addUsers(service, { [id]: roles })
    const token = await service.client.signIn(id)
    const send: Visitor['send'] = (method, path, body, headers = {}) => {
      const type = TYPES[method]
      const common = { 'X-Authorization': token, ...(type !== undefined && { 'Content-Type': type }) }
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      return service.client.send(method, path, { ...common, ...headers }, text)
    }
    all.push([name, { send }])
  }
  return { ...service, as: Object.fromEntries(all) as Record<Name, Visitor> }
}
