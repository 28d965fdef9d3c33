import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from 'hydrant-client'
import { PARAPHRASE, USER } from '../support/client.ts'
import { ROOT } from '../support/markdown.ts'
import { type ServiceOptions, serve, share } from '../support/service.ts'
import { type BridgeOptions, connectBridge } from './bridge.ts'

const example = (name: string): string => readFileSync(join(ROOT, 'examples', `${name}.yaml`), 'utf8')

/** Longer than what is shown at once. */
export const LONG_NOTES = `Begin ${'words '.repeat(600)}end`

/** 50 classes with descriptions of usual length, and the two sets of rights that most APIs have. */
export const FIFTY = [
  'title: Fifty classes',
  'description: An API as large as those of a whole company',
  'roles: [writer]',
  'classes:',
  ...Array.from({ length: 50 }, (_, index) => [
    `  ${nameOf(index)}:`,
    `    description: What the department of ${nameOf(index)} keeps about its work, from the first order to the last invoice`,
    ...(index % 5 === 0 ? ['    access: { write: writer }'] : []),
    '    properties:',
    '      name: { type: string, required: true }',
    '      amount: decimal',
    ...(index === 0 ? [] : [`      previous: ${nameOf(index - 1)}`]),
  ]).flat(),
].join('\n')

function nameOf(index: number): string {
  const things = [
    'Order',
    'Delivery',
    'Machine',
    'Contract',
    'Employee',
    'Account',
    'Journey',
    'Supplier',
    'Repair',
    'Lesson',
  ]
  const parts = ['Note', 'Plan', 'Item', 'Report', 'Check']
  return `${things[index % 10]}${parts[Math.floor(index / 10)]}`
}

/** A service, a client of its user in this process, and a bridge to it: one for all tests, since each is a process. */
const shareBridge = (service: ServiceOptions, options: Omit<BridgeOptions, 'base'> = {}) =>
  share(async (t) => {
    const { base, store } = await serve(t, service)
    const other = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
    return { base, store, other, ...(await connectBridge(t, { base, ...options })) }
  })

/** Spoken to as most hosts do. */
export const library = shareBridge({ api: example('library') })
/** In the revision 2026-07-28 of the protocol. */
export const business = shareBridge({ api: example('business') }, { isModern: true })
export const fifty = shareBridge({ api: FIFTY })
