import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Response } from '../../src/http/index.ts'
import { writeResponse } from '../../src/http/response.ts'

const RESPONSE: Response = { status: 200, shared: ['X-A', 'a'], headers: ['X-B', 'b'], body: 'text' }
const KEPT = { isHead: false, connection: undefined }

/** Without the date. */
const write = (response: Partial<Response>, delivery: Parameters<typeof writeResponse>[1] = KEPT) => {
  const { text, encoding } = writeResponse({ ...RESPONSE, ...response }, delivery)
  return { text: text.replace(/Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/, ''), encoding }
}

const HEAD = 'HTTP/1.1 200 OK\r\nX-A: a\r\nX-B: b\r\n'

const WRITTEN: readonly [name: string, written: ReturnType<typeof write>, text: string, encoding: string][] =
  [
    ['A response', write({}), `${HEAD}Content-Length: 4\r\n\r\ntext`, 'latin1'],
    [
      'A response to HEAD',
      write({}, { isHead: true, connection: undefined }),
      `${HEAD}Content-Length: 4\r\n\r\n`,
      'latin1',
    ],
    [
      'The last response on a connection',
      write({}, { isHead: false, connection: 'close' }),
      `${HEAD}Connection: close\r\nContent-Length: 4\r\n\r\ntext`,
      'latin1',
    ],
    ['A response without a body', write({ body: undefined }), `${HEAD}\r\n`, 'latin1'],
    ['A response with an empty body', write({ body: '' }), `${HEAD}Content-Length: 0\r\n\r\n`, 'latin1'],
    [
      'A body of bytes',
      write({ body: Buffer.from([0x1f, 0x8b, 0xff]) }),
      `${HEAD}Content-Length: 3\r\n\r\n\x1f\x8b\xff`,
      'latin1',
    ],
    [
      'The head of a body of bytes',
      write({ body: Buffer.from([0xff, 0xff]) }, { isHead: true, connection: undefined }),
      `${HEAD}Content-Length: 2\r\n\r\n`,
      'latin1',
    ],
    // One character, two bytes.
    ['A body beyond ASCII', write({ body: 'é' }), `${HEAD}Content-Length: 2\r\n\r\né`, 'utf8'],
    [
      'A status that has no name',
      write({ status: 299, body: undefined }),
      `${HEAD.replace('200 OK', '299 ')}\r\n`,
      'latin1',
    ],
  ]

for (const [name, written, text, encoding] of WRITTEN) {
  test(`${name} is one text`, () => {
    assert.deepEqual(written, { text, encoding })
  })
}

test('What would end its line, or is not ASCII, gets into no header', () => {
  for (const value of ['a\r\nb', 'a\nb', 'a\rb', 'a\0b', 'a\tb', 'a\x7fb', 'é', '€', '\u{1f600}']) {
    assert.throws(() => write({ headers: ['X-B', value] }), /X-B has a character/, JSON.stringify(value))
    assert.throws(() => write({ shared: ['X-A', value] }), /X-A has a character/, JSON.stringify(value))
  }
})
