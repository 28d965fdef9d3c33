import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDestination, resolveDestination } from '../../src/webhooks/destination.ts'
import { inShort } from '../support/problems.ts'

const read = (url: string, allowed: readonly string[] = []) => {
  const found = readDestination(url, allowed)
  return 'url' in found ? found.host : inShort(found)
}

/** Addresses, and the host that they name, or their problem. */
const ADDRESSES: [url: string, expected: string][] = [
  ['https://receiver.example/hook?key=1', 'receiver.example'],
  ['https://RECEIVER.example:8443', 'receiver.example'],
  ['https://1.1.1.1/hook', '1.1.1.1'],
  ['http://localhost:3000/hook', 'localhost'],
  ['http://127.0.0.1:3000/hook', '127.0.0.1'],
  ['http://[::1]:3000/hook', '::1'],
  ['https://localhost/hook', 'localhost'],
  ['http://receiver.example/hook', 'PlainHttpWebhook'],
  ['http://1.1.1.1/hook', 'PlainHttpWebhook'],
  ['http://10.0.0.1/hook', 'PlainHttpWebhook'],
  // Names that others' DNS leads to this machine, whatever they look like.
  ['http://localhost./hook', 'PlainHttpWebhook'],
  ['http://localhost.example/hook', 'PlainHttpWebhook'],
  ['http://127.0.0.1.nip.example/hook', 'PlainHttpWebhook'],
  ['http://[64:ff9b::7f00:1]/hook', 'PlainHttpWebhook'],
  // Odd spellings of 127.0.0.1, which the URL standard writes out.
  ['http://2130706433/hook', '127.0.0.1'],
  ['http://0x7f000001/hook', '127.0.0.1'],
  ['http://0177.0.0.1/hook', '127.0.0.1'],
  ['http://0x7f.1/hook', '127.0.0.1'],
  ['http://127.1/hook', '127.0.0.1'],
  ['http://127.0.0.1./hook', '127.0.0.1'],
  ['http://１２７.０.０.１/hook', '127.0.0.1'],
  ['http://%31%32%37.0.0.1/hook', '127.0.0.1'],
  ['http://[::ffff:127.0.0.1]/hook', '::ffff:7f00:1'],
  // The same of addresses that are not allowed.
  ['https://10.0.0.1/hook', 'WebhookAddressNotAllowed(10.0.0.1, private)'],
  ['https://167772161/hook', 'WebhookAddressNotAllowed(10.0.0.1, private)'],
  ['https://0x0a000001/hook', 'WebhookAddressNotAllowed(10.0.0.1, private)'],
  ['https://012.0.0.1/hook', 'WebhookAddressNotAllowed(10.0.0.1, private)'],
  ['https://10.1/hook', 'WebhookAddressNotAllowed(10.0.0.1, private)'],
  ['https://10.0.0.1./hook', 'WebhookAddressNotAllowed(10.0.0.1, private)'],
  ['https://[::ffff:10.0.0.1]/hook', 'WebhookAddressNotAllowed(::ffff:a00:1, private)'],
  ['https://[fd00::1]/hook', 'WebhookAddressNotAllowed(fd00::1, private)'],
  ['https://100.64.0.1/hook', 'WebhookAddressNotAllowed(100.64.0.1, private)'],
  ['https://169.254.169.254/latest', 'WebhookAddressNotAllowed(169.254.169.254, unusable)'],
  ['https://0/hook', 'WebhookAddressNotAllowed(0.0.0.0, unusable)'],
  ['https://[::]/hook', 'WebhookAddressNotAllowed(::, unusable)'],
  // Not addresses of receivers.
  ['https://me:secret@receiver.example/hook', 'UnusableWebhookUrl(user)'],
  ['https://receiver.example@10.0.0.1/hook', 'UnusableWebhookUrl(user)'],
  ['https://receiver.example/hook#part', 'UnusableWebhookUrl(fragment)'],
  ['https://receiver.example/hook#', 'UnusableWebhookUrl(fragment)'],
  ['https://256.0.0.1/hook', 'InvalidWebhookUrl'],
  ['https://[fe80::1%25eth0]/hook', 'InvalidWebhookUrl'],
  ['https:///', 'InvalidWebhookUrl'],
  ['receiver.example/hook', 'InvalidWebhookUrl'],
  ['ftp://receiver.example/hook', 'InvalidWebhookUrl'],
  ['file:///etc/passwd', 'InvalidWebhookUrl'],
  ['', 'InvalidWebhookUrl'],
]

for (const [url, expected] of ADDRESSES)
  test(`${url || 'nothing'}: ${expected}`, () => assert.equal(read(url), expected))

test('an address in a private network can be allowed, and a link-local one cannot', () => {
  assert.equal(read('https://10.0.0.1/hook', ['10.0.0.1']), '10.0.0.1')
  assert.equal(read('https://0xa.1/hook', ['10.0.0.1']), '10.0.0.1')
  assert.equal(read('https://10.0.0.2/hook', ['10.0.0.1']), 'WebhookAddressNotAllowed(10.0.0.2, private)')
  assert.equal(
    read('https://169.254.169.254/', ['169.254.169.254']),
    'WebhookAddressNotAllowed(169.254.169.254, unusable)',
  )
  assert.equal(
    read('http://10.0.0.1/hook', ['10.0.0.1']),
    'PlainHttpWebhook',
    'allowed, but not in the clear',
  )
})

/** What a name leads to, or its problem. */
async function resolve(host: string, addresses: readonly string[], allowed: readonly string[] = []) {
  const destination = readDestination(`https://${host}/hook`, allowed)
  assert.ok('url' in destination)
  const lookup = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const found = await resolveDestination(destination, lookup).catch((error) => error)
  return Array.isArray(found) ? found.map(({ address }) => address).join(' ') : inShort(found)
}

/** The host, the addresses that it has, and what comes of it. */
const NAMES: [host: string, addresses: string[], expected: string][] = [
  ['receiver.example', ['1.1.1.1', '2606:4700::1'], '1.1.1.1 2606:4700::1'],
  ['receiver.example', [], 'ReceiverNotFound(receiver.example, ENOTFOUND)'],
  ['receiver.example', ['10.0.0.1'], 'ReceiverNotAllowed(receiver.example, 10.0.0.1, private)'],
  ['receiver.example', ['1.1.1.1', '127.0.0.1'], 'ReceiverNotAllowed(receiver.example, 127.0.0.1, loopback)'],
  ['receiver.example', ['::1'], 'ReceiverNotAllowed(receiver.example, ::1, loopback)'],
  ['receiver.example', ['::ffff:10.0.0.1'], 'ReceiverNotAllowed(receiver.example, ::ffff:10.0.0.1, private)'],
  [
    'receiver.example',
    ['169.254.169.254'],
    'ReceiverNotAllowed(receiver.example, 169.254.169.254, unusable)',
  ],
  [
    'receiver.example',
    ['64:ff9b::a9fe:a9fe'],
    'ReceiverNotAllowed(receiver.example, 64:ff9b::a9fe:a9fe, unusable)',
  ],
  ['localhost.', ['127.0.0.1'], 'ReceiverNotAllowed(localhost., 127.0.0.1, loopback)'],
  ['localhost', ['127.0.0.1', '::1'], '127.0.0.1 ::1'],
  ['localhost', ['1.1.1.1'], 'ReceiverNotAllowed(localhost, 1.1.1.1, public)'],
  ['inside.example', ['10.0.0.1', 'fd00::1', '127.0.0.1', '1.1.1.1'], '10.0.0.1 fd00::1 127.0.0.1 1.1.1.1'],
  ['inside.example', ['169.254.169.254'], 'ReceiverNotAllowed(inside.example, 169.254.169.254, unusable)'],
  ['other.inside.example', ['10.0.0.1'], 'ReceiverNotAllowed(other.inside.example, 10.0.0.1, private)'],
]

for (const [host, addresses, expected] of NAMES)
  test(`${host} with ${addresses.join(' and ') || 'no address'}: ${expected}`, async () => {
    assert.equal(await resolve(host, addresses, ['inside.example']), expected)
  })
