// A host with a follower, in a process of its own: node host.ts <database> <record>. The record gets a line for each
// change that was handled.
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createHydrant, type FollowedChange } from '../../../src/library/index.ts'

export const API = { title: 'Shop', classes: { Order: { properties: { note: { type: 'string' } } } } }

export const SILENT = { error() {}, warn() {}, info() {}, debug() {} }

/** A line of the record. */
export interface Handled {
  readonly pid: number
  readonly event: string
}

/** Calls for events whose id begins so fail the first time that this host has them. */
const FAILING = /^[A-D]/

function createHandle(record: string) {
  const failed = new Set<string>()
  return async ({ event }: FollowedChange) => {
    await wait(Math.random() * 4)
    if (FAILING.test(event.id) && !failed.has(event.id)) {
      failed.add(event.id)
      throw new Error('This event fails at first.')
    }
    appendFileSync(record, `${JSON.stringify({ pid: process.pid, event: event.id } satisfies Handled)}\n`)
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , db = '', record = ''] = process.argv
  const followers = { record: { classes: ['Order'], handle: createHandle(record) } }
  const hydrant = await createHydrant({ api: API, db, auth: false, log: SILENT, followers })
  process.on('SIGTERM', () => void hydrant.close())
  process.stdout.write('ready\n')
}
