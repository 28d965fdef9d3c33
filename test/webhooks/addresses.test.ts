import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressReach, reachOf } from '../../src/webhooks/addresses.ts'

const ADDRESSES: Readonly<Record<AddressReach, readonly string[]>> = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '2606:4700:4700::1111',
    '2a00::1',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '2002:101:101::1',
    // A Teredo address of a public server and a public client.
    '2001:0:808:808:8000:ffff:fefe:fefe',
  ],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    '2002:c0a8:101::',
    '2001:0:a00:1::fefe:fefe',
    // The client of a Teredo address, with all bits inverted: 10.0.0.1.
    '2001:0:808:808:8000:ffff:f5ff:fffe',
  ],
  loopback: ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  unusable: [
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '224.0.0.1',
    '239.255.255.255',
    '255.255.255.255',
    '240.0.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '::',
    '::127.0.0.1',
    '::a00:1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '::ffff:0:127.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001:0:a9fe:a9fe::fefe:fefe',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    // Not addresses: only a complete one is understood.
    '10',
    '2130706433',
    '0x7f.1',
    '010.0.0.1',
    '127.1',
    'localhost',
    '',
  ],
}

for (const [reach, addresses] of Object.entries(ADDRESSES))
  test(`addresses that are ${reach}`, () => {
    const others = addresses.filter((address) => reachOf(address) !== reach)
    assert.deepEqual(
      others.map((address) => `${address}: ${reachOf(address)}`),
      [],
    )
  })
