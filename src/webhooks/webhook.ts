import { type Follower, FollowerPaused } from '../api/index.ts'
import { Problem } from '../problem.ts'
import type { Webhook } from './list.ts'
import { deliveryProblem } from './problems.ts'
import { type SendDependencies, send } from './send.ts'
import { signatureHeaders } from './signature.ts'

interface WebhookDependencies extends SendDependencies {
  readonly now: () => number
  /** The sentence about a delivery that has failed, for `hydrant follower list` and the log. */
  readonly say: (problem: Problem) => string
}

/** Beyond the time of an attempt, to read the event: `send` itself ends in time, and says why. */
const LIMIT_MS = 20_000

/** A follower that sends each event to its receiver (library.md, Webhooks). */
export function createWebhook(webhook: Webhook, dependencies: WebhookDependencies): Follower {
  const { name, classes, includesObject } = webhook
  const { now, say } = dependencies
  return {
    name,
    classes,
    limitMs: LIMIT_MS,
    async deliver(call) {
      const [{ id }, text] = await Promise.all([
        call.event(),
        call.eventText(includesObject ? 'whole' : 'address'),
      ])
      const problem = await post(webhook, { id, at: now(), body: Buffer.from(text) }, dependencies)
      if (problem === undefined) return
      const sentence = say(problem)
      throw problem.code === 'ReceiverGone' ? new FollowerPaused(sentence) : new Error(sentence)
    },
  }
}

/** Sends an event once. Resolves with the problem, if there is one. */
async function post(
  { destination, secrets }: Webhook,
  event: Parameters<typeof signatureHeaders>[0],
  dependencies: SendDependencies,
): Promise<Problem | undefined> {
  const headers = {
    // Not application/ld+json, which the parsers of most receivers pass over: "JSON formatted for maximum compatibility"
    // (Standard Webhooks, Payload structure). JSON-LD processors take both, and the context is in the event itself.
    'Content-Type': 'application/json',
    'User-Agent': 'hydrant',
    ...signatureHeaders(event, secrets),
  }
  try {
    const status = await send(destination, { headers, body: event.body }, dependencies)
    return problemOf(status, destination.host)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Standard Webhooks, Delivery success and failure: only 2xx is success, and 410 ends all further deliveries. */
function problemOf(status: number, host: string): Problem | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 410) return deliveryProblem('ReceiverGone', { host })
  const isRedirect = status >= 300 && status < 400
  return deliveryProblem(isRedirect ? 'ReceiverRedirects' : 'ReceiverRefuses', { host, status })
}
