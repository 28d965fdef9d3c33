import { describe } from 'node:test'
import { DELIVERIES, WEBHOOKS } from '../../../src/service/problems/webhooks.ts'
import { testSentences } from '../../support/sentences.ts'

const PATH = { path: 'billing.secret' }
const HOST = { host: 'billing.example' }

describe('sentences about a list of webhooks', () => {
  testSentences(WEBHOOKS, [
    [
      'WebhooksNotAList',
      {},
      'webhooks must be a list of maps, such as [{ name: billing, url: https://billing.example/hook, classes: [Order], secretFile: billing.secret }]',
    ],
    ['MissingWebhookKey', { key: 'url' }, 'the webhook has no "url"; add it'],
    [
      'InvalidWebhookName',
      {},
      '"name" must be 1 to 64 lower-case letters, digits and "-" that begin with a letter, such as billing',
    ],
    [
      'DuplicateWebhookName',
      { name: 'billing', by: 'follower' },
      'a follower called "billing" exists already; choose another name',
    ],
    ['InvalidWebhookUrl', {}, '"url" must be an address such as https://billing.example/hook'],
    [
      'UnusableWebhookUrl',
      { part: 'user' },
      '"url" must not contain a user or a password; receivers check the signature instead',
    ],
    [
      'UnusableWebhookUrl',
      { part: 'fragment' },
      '"url" must not have a fragment, which is never sent; remove "#" and what follows',
    ],
    [
      'PlainHttpWebhook',
      {},
      '"url" must begin with https://; http:// is only for receivers on this machine, such as http://localhost:3000/hook',
    ],
    [
      'WebhookAddressNotAllowed',
      { address: '10.0.0.1', reach: 'private' },
      '10.0.0.1 is in a private network; allow the host with --webhook-allow 10.0.0.1',
    ],
    [
      'WebhookAddressNotAllowed',
      { address: '169.254.169.254', reach: 'unusable' },
      '169.254.169.254 is link-local, multicast or reserved, and cannot be that of a receiver',
    ],
    [
      'NotAWebhookClass',
      { name: 'Ordre', known: ['Order'] },
      '"Ordre" is not a class with members; did you mean "Order"?',
    ],
    [
      'NotAWebhookClass',
      { name: undefined, known: ['Order', 'Customer'] },
      'this is not a class with members; possible: Order, Customer',
    ],
    ['NoWebhookClass', {}, '"classes" is empty; name the classes whose changes are sent, such as [Order]'],
    ['DuplicateWebhookClass', { name: 'Order' }, '"Order" is in "classes" twice; keep one of them'],
    [
      'UnknownInclude',
      {},
      '"include" can only be object; leave it out if events need not have the member in full',
    ],
    [
      'WebhookSecretUnreadable',
      { ...PATH, systemCode: 'ENOENT' },
      'billing.secret cannot be read: there is no such file or folder',
    ],
    ['WebhookSecretUnreadable', { ...PATH, systemCode: 'EIO' }, 'billing.secret cannot be read: EIO'],
    [
      'WrongWebhookSecretCount',
      { ...PATH, lines: 0 },
      'billing.secret has no secret; make one with: echo "whsec_$(openssl rand -base64 32)"',
    ],
    [
      'WrongWebhookSecretCount',
      { ...PATH, lines: 3 },
      'billing.secret must have one secret, or two while rotating, a line each; it has 3 lines',
    ],
    [
      'InvalidWebhookSecret',
      { ...PATH, line: 2 },
      'line 2 of billing.secret is not a secret of Standard Webhooks; make one with: echo "whsec_$(openssl rand -base64 32)"',
    ],
    [
      'WebhookSecretLength',
      { ...PATH, line: 1, bytes: 16, least: 24, most: 64 },
      'line 1 of billing.secret has a secret of 16 bytes; it must have 24 to 64; make one with: echo "whsec_$(openssl rand -base64 32)"',
    ],
  ])
})

describe('sentences about an event that was not delivered', () => {
  testSentences(DELIVERIES, [
    ['ReceiverNotFound', { ...HOST, systemCode: 'ENOTFOUND' }, 'billing.example has no address (ENOTFOUND).'],
    [
      'ReceiverNotAllowed',
      { ...HOST, address: '10.0.0.1', reach: 'private' },
      'Nothing was sent to billing.example: its address 10.0.0.1 is in a private network; allow the host with --webhook-allow billing.example.',
    ],
    [
      'ReceiverNotAllowed',
      { ...HOST, address: '127.0.0.1', reach: 'loopback' },
      'Nothing was sent to billing.example: its address 127.0.0.1 is this machine; allow the host with --webhook-allow billing.example.',
    ],
    [
      'ReceiverNotAllowed',
      { host: 'localhost', address: '1.1.1.1', reach: 'public' },
      'Nothing was sent to localhost: its address 1.1.1.1 is not this machine.',
    ],
    [
      'ReceiverUnreachable',
      { ...HOST, systemCode: 'ECONNREFUSED' },
      'billing.example cannot be reached (ECONNREFUSED).',
    ],
    ['ReceiverSilent', { ...HOST, seconds: 15 }, 'billing.example did not respond within 15 s.'],
    ['DeliveryCutOff', HOST, 'Hydrant was stopped before billing.example responded.'],
    [
      'ReceiverRedirects',
      { ...HOST, status: 302 },
      'billing.example redirects (302), which is not followed; give the webhook the new address.',
    ],
    ['ReceiverRefuses', { ...HOST, status: 500 }, 'billing.example responded with 500.'],
    ['ReceiverGone', HOST, 'billing.example wants no more events (410).'],
  ])
})
