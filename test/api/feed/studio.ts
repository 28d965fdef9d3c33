import type { TestContext } from 'node:test'
import { accountModel } from '../../support/accounts.ts'
import { modelOf, type ServiceOptions } from '../../support/service.ts'
import { CREATE } from '../newsroom.ts'
import { serveUsers } from '../users.ts'

/** Rules by every kind of path: one step to one account and to many, two steps, and all of them together. */
export const STUDIO = `
roles: [manager]
accounts: { view: everyone }
classes:
  Project:
    access: { all: [manager, members], create: everyone }
    properties: { name: string, members: { type: Account, many: true } }
  Folder:
    access: { all: manager }
    properties: { name: string, keeper: Account }
  Task:
    access: { all: [manager, owner, assignee], create: everyone }
    properties: { title: string, assignee: Account, project: Project }
  Note:
    access: { all: [manager, project.members], create: everyone }
    properties: { text: string, project: { type: Project, onDelete: unset } }
  Page:
    access: { view: [manager, owner, reader, folders.keeper], update: [manager, reader], create: everyone, delete: manager }
    properties: { text: string, reader: Account, folders: { type: Folder, many: true, onDelete: unset } }
  Topic:
    properties: { name: string }
`

export const PEOPLE = {
  manager: [21, 'manager'],
  ann: [22],
  ben: [23],
  eve: [24],
} as const satisfies Record<string, readonly [number, ...string[]]>

export type Person = keyof typeof PEOPLE

export const STUDIO_MODEL = accountModel(modelOf(STUDIO))

export type Studio = Awaited<ReturnType<typeof serveStudio>>

/** Every user has an account. */
export async function serveStudio(t: TestContext, options: ServiceOptions = {}) {
  const studio = await serveUsers(t, PEOPLE, { model: STUDIO_MODEL, ...options })
  const { base, as } = studio
  // Brings the accounts in step with the users.
  await as.manager.send('GET', '/accounts')
  const account = (name: Person) => `${base}/accounts/${PEOPLE[name][0]}`
  /** The status of a write by the manager. */
  async function write(method: string, path: string, body?: unknown): Promise<number> {
    const headers = method === 'PUT' ? CREATE : {}
    return (await as.manager.send(method, path, body, headers)).status
  }
  return { ...studio, account, write }
}
