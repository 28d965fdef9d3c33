import type { TestContext } from 'node:test'
import type { ServiceOptions } from '../../support/service.ts'
import { serveUsers } from '../users.ts'

/** A small business with staff, a bookkeeper and customers (people.md). */
export const OFFICE = `
roles: [admin, bookkeeper, staff]
accounts: { manage: admin, view: staff }
classes:
  Customer:
    access: { view: [staff, bookkeeper, contact], write: staff }
    properties: { name: { type: string, required: true }, contact: Account }
  Invoice:
    access: { view: [bookkeeper, customer.contact], write: bookkeeper }
    properties: { number: string, customer: Customer }
  Project:
    access: { all: [staff, members], create: staff }
    properties: { title: string, members: { type: Account, many: true } }
  Task:
    access: { all: [owner, assignee, project.members], create: project.members }
    properties:
      title: string
      assignee: Account
      project: { type: Project, required: true }
      reporter: { type: Account, writable: false, default: user }
`

export const PEOPLE = {
  boss: [31, 'admin'],
  books: [32, 'bookkeeper'],
  sue: [33, 'staff'],
  tom: [34],
  eve: [35],
} as const satisfies Record<string, readonly [number, ...string[]]>

export const serveOffice = (t: TestContext, options: ServiceOptions = {}) =>
  serveUsers(t, PEOPLE, { api: OFFICE, ...options })
