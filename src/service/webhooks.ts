import type { Follower, Program } from '../api/index.ts'
import type { Config } from '../config/index.ts'
import { isAccount, type Model, storedClasses } from '../vocabulary/index.ts'
import type { Webhook } from '../webhooks/index.ts'
import { warnOfReaders } from './file-modes.ts'
import type { Log } from './log.ts'
import { sayDelivery } from './problems/index.ts'

type WebhookSettings = Pick<Config, 'webhooks' | 'webhookHosts'>

/** Loaded where there are webhooks: other servers need neither the HTTP client of Node.js nor its TLS. */
const importRoom = () => import('../webhooks/index.ts')

/** Reads the webhooks of the settings, and checks them against an API file and a program. */
export async function listWebhooks(
  { webhooks, webhookHosts: allowed }: WebhookSettings,
  model: Model,
  { followers = {} }: Program = {},
): Promise<readonly Webhook[]> {
  if (webhooks === undefined) return []
  // Accounts are not in the feed (people.md, Accounts).
  const classes = storedClasses(model).filter((cls) => !isAccount(cls))
  const names = classes.map(({ name }) => name)
  return (await importRoom()).readWebhooks(webhooks, {
    ...{ classes: names, followers: Object.keys(followers), allowed },
  })
}

/** How long a delivery may go on while the service closes: the event is delivered again after the next start. */
const CLOSING_MS = 3_000

interface OpenDependencies {
  readonly log: Log
  readonly now: () => number
  /** Aborted when followers are stopped. */
  readonly closing: AbortSignal
}

/** The webhooks of the settings, as followers. */
export async function openWebhooks(
  webhooks: readonly Webhook[],
  { log, now, closing }: OpenDependencies,
): Promise<readonly Follower[]> {
  if (webhooks.length === 0) return []
  const files = new Set(webhooks.map(({ secretFile }) => secretFile))
  warnOfReaders([...files], 'a secret of a webhook', (sentence) => log.warn({}, sentence))
  const cutOff = new AbortController()
  const cutOffSoon = () => setTimeout(() => cutOff.abort(), CLOSING_MS).unref()
  closing.addEventListener('abort', cutOffSoon, { once: true })
  const { createWebhook } = await importRoom()
  return webhooks.map((one) => createWebhook(one, { now, say: sayDelivery, signal: cutOff.signal }))
}
