// Sentences about webhooks: those about a list follow their place in it, and have no period.
import type { Sentences } from '../../problem.ts'
import { suggestion } from '../../text.ts'
import type { DeliveryProblems, WebhookProblems } from '../../webhooks/problems.ts'
import { fileReason, sayReason } from './files.ts'

/** Where an address leads, if events are not sent there. */
const PLACES = {
  public: 'is not this machine',
  private: 'is in a private network',
  loopback: 'is this machine',
  unusable: 'is link-local, multicast or reserved, and cannot be that of a receiver',
}

/** What to do about an address; some cannot be allowed. */
const allowance = (host: string, reach: keyof typeof PLACES): string =>
  reach === 'private' || reach === 'loopback' ? `; allow the host with --webhook-allow ${host}` : ''

const MAKE_SECRET = 'make one with: echo "whsec_$(openssl rand -base64 32)"'

export const WEBHOOKS: Sentences<WebhookProblems> = {
  WebhooksNotAList:
    'webhooks must be a list of maps, such as [{ name: billing, url: https://billing.example/hook, classes: [Order], secretFile: billing.secret }]',
  MissingWebhookKey: ({ key }) => `the webhook has no "${key}"; add it`,
  InvalidWebhookName:
    '"name" must be 1 to 64 lower-case letters, digits and "-" that begin with a letter, such as billing',
  DuplicateWebhookName: ({ name, by }) => `a ${by} called "${name}" exists already; choose another name`,
  InvalidWebhookUrl: '"url" must be an address such as https://billing.example/hook',
  UnusableWebhookUrl: ({ part }) =>
    part === 'user'
      ? '"url" must not contain a user or a password; receivers check the signature instead'
      : '"url" must not have a fragment, which is never sent; remove "#" and what follows',
  PlainHttpWebhook:
    '"url" must begin with https://; http:// is only for receivers on this machine, such as http://localhost:3000/hook',
  WebhookAddressNotAllowed: ({ address, reach }) => `${address} ${PLACES[reach]}${allowance(address, reach)}`,
  NotAWebhookClass: ({ name, known }) =>
    name === undefined
      ? `this is not a class with members; possible: ${known.join(', ')}`
      : `"${name}" is not a class with members; ${suggestion(name, known)}`,
  NoWebhookClass: '"classes" is empty; name the classes whose changes are sent, such as [Order]',
  DuplicateWebhookClass: ({ name }) => `"${name}" is in "classes" twice; keep one of them`,
  UnknownInclude: '"include" can only be object; leave it out if events need not have the member in full',
  WebhookSecretUnreadable: ({ path, systemCode }) => {
    const reason = fileReason({ code: systemCode })
    return `${path} cannot be read: ${reason === undefined ? systemCode : sayReason(reason)}`
  },
  WrongWebhookSecretCount: ({ path, lines }) =>
    lines === 0
      ? `${path} has no secret; ${MAKE_SECRET}`
      : `${path} must have one secret, or two while rotating, a line each; it has ${lines} lines`,
  InvalidWebhookSecret: ({ path, line }) =>
    `line ${line} of ${path} is not a secret of Standard Webhooks; ${MAKE_SECRET}`,
  WebhookSecretLength: ({ path, line, bytes, least, most }) =>
    `line ${line} of ${path} has a secret of ${bytes} bytes; it must have ${least} to ${most}; ${MAKE_SECRET}`,
}

/** Why an event was not delivered, for `hydrant follower list` and the log. */
export const DELIVERIES: Sentences<DeliveryProblems> = {
  ReceiverNotFound: ({ host, systemCode }) => `${host} has no address (${systemCode}).`,
  ReceiverNotAllowed: ({ host, address, reach }) =>
    `Nothing was sent to ${host}: its address ${address} ${PLACES[reach]}${allowance(host, reach)}.`,
  ReceiverUnreachable: ({ host, systemCode }) => `${host} cannot be reached (${systemCode}).`,
  ReceiverSilent: ({ host, seconds }) => `${host} did not respond within ${seconds} s.`,
  DeliveryCutOff: ({ host }) => `Hydrant was stopped before ${host} responded.`,
  ReceiverRedirects: ({ host, status }) =>
    `${host} redirects (${status}), which is not followed; give the webhook the new address.`,
  ReceiverRefuses: ({ host, status }) => `${host} responded with ${status}.`,
  ReceiverGone: ({ host }) => `${host} wants no more events (410).`,
}
