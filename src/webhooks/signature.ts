import { createHmac } from 'node:crypto'
import type { ProblemData } from '../problem.ts'
import { webhookProblem } from './problems.ts'

// Signatures and secrets as in Standard Webhooks 1.0.0, Verifying webhook authenticity.

const PREFIX = 'whsec_'
const LEAST_BYTES = 24
const MOST_BYTES = 64

/** The secrets of a file: one, or two while rotating, a line each. Problems never repeat them. */
export function readWebhookSecrets(text: string, path: string): readonly Buffer[] | ProblemData {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length !== 1 && lines.length !== 2)
    return webhookProblem('WrongWebhookSecretCount', { path, lines: lines.length })
  const secrets = lines.map((line) => Buffer.from(line.slice(PREFIX.length), 'base64'))
  for (const [index, secret] of secrets.entries()) {
    const line = index + 1
    // Node.js skips what is not base64: only the spelling that receivers understand is accepted.
    if (lines[index] !== PREFIX + secret.toString('base64'))
      return webhookProblem('InvalidWebhookSecret', { path, line })
    const { length: bytes } = secret
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES)
      return webhookProblem('WebhookSecretLength', {
        path,
        line,
        bytes,
        least: LEAST_BYTES,
        most: MOST_BYTES,
      })
  }
  return secrets
}

/** An event on its way: its id, the time of the attempt in milliseconds, and the body. */
interface SignedMessage {
  readonly id: string
  readonly at: number
  readonly body: Buffer
}

/** The headers of an attempt, with one signature for each secret: receivers accept any that they know. */
export function signatureHeaders({ id, at, body }: SignedMessage, secrets: readonly Buffer[]) {
  const seconds = String(Math.floor(at / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${seconds}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}
