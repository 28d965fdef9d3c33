import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBodyReader } from '../../src/http/body.ts'

/** The content, and how many bytes are left over, of a body that comes in pieces of this size. */
function read(
  length: number | 'chunked',
  text: string,
  size: number,
): [content: string, rest: number] | undefined {
  const reader = createBodyReader(length)
  const all = Buffer.from(text, 'latin1')
  let content = ''
  for (let at = 0; at < all.length; at += size) {
    const piece = all.subarray(at, at + size)
    const end = reader.read(piece, (bytes) => {
      content += bytes.toString('latin1')
    })
    if (reader.isDone) return [content, all.length - at - end]
  }
  return undefined
}

const WHOLE: readonly [length: number | 'chunked', text: string, content: string, rest: number][] = [
  [3, 'abc', 'abc', 0],
  [3, 'abcd', 'abc', 1],
  ['chunked', '0\r\n\r\n', '', 0],
  ['chunked', '3\r\nabc\r\n00\r\n\r\nGET', 'abc', 3],
  ['chunked', 'A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n', '01234567890123456789', 0],
  ['chunked', '3;a;b=c;d="e\\"f";g\r\nabc\r\n0;h\r\n\r\n', 'abc', 0],
  ['chunked', '3\r\nabc\r\n0\r\nX: y\r\nHost:\r\n\r\n', 'abc', 0],
  ['chunked', `0;${'a'.repeat(8_000)}\r\nX: ${'b'.repeat(8_000)}\r\n\r\n`, '', 0],
]

for (const [length, text, content, rest] of WHOLE) {
  test(`a body is read, in whatever pieces it comes: ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.deepEqual(read(length, text, text.length), [content, rest])
    assert.deepEqual(read(length, text, 1)?.[0], content)
    assert.equal(read(length, text.slice(0, text.length - rest - 1), text.length), undefined)
  })
}

const REFUSED: readonly [text: string, code: string][] = [
  ['\r\n', 'MalformedRequest'],
  ['x\r\n', 'MalformedRequest'],
  [' 3\r\n', 'MalformedRequest'],
  ['3 \r\n', 'MalformedRequest'],
  ['-3\r\n', 'MalformedRequest'],
  ['0x3\r\n', 'MalformedRequest'],
  ['000000003\r\n', 'MalformedRequest'],
  ['3\n', 'MalformedRequest'],
  ['3\rabc', 'MalformedRequest'],
  [';a\r\n', 'MalformedRequest'],
  ['3;\r\n', 'MalformedRequest'],
  ['3;;\r\n', 'MalformedRequest'],
  ['3;=b\r\n', 'MalformedRequest'],
  ['3;a=\r\n', 'MalformedRequest'],
  ['3;a=;\r\n', 'MalformedRequest'],
  ['3;a b\r\n', 'MalformedRequest'],
  ['3;a="b"c\r\n', 'MalformedRequest'],
  ['3;a="\n"\r\n', 'MalformedRequest'],
  ['3;a="\\\n"\r\n', 'MalformedRequest'],
  ['3;a=b"\r\n', 'MalformedRequest'],
  ['3\r\nabcd', 'MalformedRequest'],
  ['3\r\nabc\rx', 'MalformedRequest'],
  ['3\r\nabc\n', 'MalformedRequest'],
  ['0\r\nX : y\r\n', 'MalformedRequest'],
  ['0\r\n X: y\r\n', 'MalformedRequest'],
  ['0\r\nX: y\n', 'MalformedRequest'],
  ['0\r\n\n', 'MalformedRequest'],
  ['0\r\nContent-Length: 3\r\n', 'MalformedRequest'],
  ['0\r\nTransfer-Encoding: chunked\r\n', 'MalformedRequest'],
  [`0;${'a'.repeat(17_000)}`, 'HeadersTooLong'],
  [`0\r\nX: ${'a'.repeat(17_000)}`, 'HeadersTooLong'],
  [`0\r\n${'X: y\r\n'.repeat(3_000)}`, 'HeadersTooLong'],
]

for (const [text, code] of REFUSED) {
  test(`a body in chunks is refused as ${code}: ${JSON.stringify(text.slice(0, 60))}`, () => {
    for (const size of [1, text.length]) assert.throws(() => read('chunked', text, size), { code })
  })
}
