import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPreconditions, readPreferences } from '../../src/api/request.ts'
import { createAddressReader } from '../../src/auth/index.ts'
import { HeadReader } from '../../src/http/head.ts'
import { chooseCoding, isFresh, negotiate, type Request } from '../../src/http/index.ts'
import { compareTimes, createLeast } from '../support/timing.ts'

const UNITS = [',', ' ,', 'a,', ';', 'a/b;q=1,', '"",', '"1-b",', '" ', '127.0.0.1,']
const request = (headers: Record<string, string>): Request => ({ headers }) as unknown as Request
const versions = { seal: String, open: (text: string) => Number(text) || undefined }
const address = createAddressReader(['127.0.0.1'])

const READERS: Readonly<Record<string, (header: string) => unknown>> = {
  Accept: (header) => negotiate(header, ['application/ld+json', 'application/json']),
  'Accept-Encoding': (header) => chooseCoding(header, ['br', 'gzip', 'identity']),
  Prefer: (prefer) => readPreferences(request({ prefer })),
  'If-None-Match': (header) => isFresh({ 'if-none-match': header }, '"1-b'),
  'If-Match': (header) => readPreconditions(request({ 'if-match': header }), versions as never),
  Connection: (header) =>
    new HeadReader().read(Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nConnection: ${header}\r\n\r\n`)),
  'X-Forwarded-For': (header) => address('127.0.0.1', header),
}

for (const [name, read] of Object.entries(READERS)) {
  test(`${name} costs little more than its bytes, whatever it is filled with`, async () => {
    const costs: string[] = []
    for (const unit of UNITS) {
      const header = unit.repeat(14_000 / unit.length)
      const work = (read: (header: string) => unknown) => () => () => {
        for (let count = 0; count < 10; count += 1) {
          try {
            read(header)
          } catch {
            // It may be refused.
          }
        }
      }
      const least = createLeast([
        work(read),
        work(() => new HeadReader().read(Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nX: ${header}\r\n\r\n`))),
      ])
      await compareTimes(async () => {
        const [cost, bytes] = await least(10)
        assert.ok(cost <= 5 * bytes + 100)
      }).catch(() => costs.push(unit))
    }
    assert.deepEqual(costs, [])
  })
}
