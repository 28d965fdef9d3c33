import fc from 'fast-check'

/** Mostly the first, now and then one of the others. */
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 3 * others.length, arbitrary: fc.constant(usual) },
    ...others.map((one) => fc.constant(one)),
  )

const LINE_END = mostly(
  '\r\n',
  '\n',
  '\r',
  '\n\r',
  '\r\r\n',
  '\r\n\r\n',
  '',
  ' \r\n',
  '\r\n ',
  '\0\r\n',
  '\r\n\t',
  '\x85',
  '\r\n\0',
)
const METHOD = mostly(
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'DELETE',
  'M-SEARCH',
  'QUERY',
  'get',
  'GE',
  'CONNECT',
  'PRI',
  'DESCRIBE',
  '',
)
const SPACE = mostly(' ', '  ', '\t', '', '\xa0')
const TARGET = mostly(
  '/',
  '*',
  '/a?b=c',
  '/a#b',
  '//',
  '/\x80',
  '/ ',
  '',
  'a',
  'http://h/',
  'http://h',
  'HTTP://u@h:1/?q',
  'http://a@b@c/',
  'http://',
  'http:/h',
  'h1://h/',
  '*x',
  '/%zz',
  '/"<>\\^`{|}',
  '[::1]',
  'http://[::1]/',
  '/\x7f',
  '?',
  'http://h?x',
)
const VERSION = mostly(
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/1.2',
  'HTTP/1.10',
  'http/1.1',
  'RTSP/1.0',
  'ICE/1.0',
  'HTTP/1',
  '',
)

const NAME = fc.constantFrom(
  'Host',
  'host',
  'Content-Length',
  'content-length',
  'Transfer-Encoding',
  'Connection',
  'Upgrade',
  'Expect',
  'X-A',
  'Trailer',
  'Cookie',
  'X\x80',
  'X A',
  '',
  'X:',
  'X(',
  'Proxy-Connection',
  'Keep-Alive',
  '__proto__',
  'Content_Length',
  'Transfer_Encoding',
  'Content-Length\0',
  '\x0bTransfer-Encoding',
  '\tHost',
)
const COLON = mostly(':', ': ', ' :', ':\t', ':\r\n ', '', '::', ':  ')
const FIELD_VALUE = fc.constantFrom(
  '',
  'x',
  '0',
  '3',
  '5',
  '+3',
  '-1',
  '03',
  '3, 3',
  '3 ',
  '0x3',
  '18446744073709551616',
  '9999999999999999999',
  '99999999999999999999',
  'chunked',
  'Chunked',
  'chunked, chunked',
  'gzip, chunked',
  'chunked;a',
  ' chunked',
  'identity',
  'identity, chunked',
  'chunked, identity',
  '\x0bchunked',
  'chunked\x0b',
  '"chunked"',
  'chun\tked',
  ',chunked',
  'chunked,',
  '3;',
  '1e1',
  '\xb3',
  '3\0',
  'close',
  'keep-alive',
  'close, x',
  'Keep-Alive, Upgrade',
  'upgrade',
  'websocket',
  '100-continue',
  'foo',
  'a\x80b',
  'a\x7fb',
  'a\tb',
  'a\0b',
  'a\rb',
  'a\nb',
  'h:1',
  'a b',
  'x'.repeat(300),
)
const header = fc.tuple(NAME, COLON, FIELD_VALUE, LINE_END).map((parts) => parts.join(''))

const SIZE = mostly(
  '3',
  '0',
  '00',
  '03',
  'A',
  'a',
  'ffffffff',
  '100000000',
  '10000000000000000',
  '-1',
  '+3',
  ' 3',
  '3 ',
  '0x3',
  '3_',
  '3\t',
  '3\0',
  '\xb3',
  '0000000a',
  '',
  'g',
)
const EXTENSION = mostly(
  '',
  ';a',
  ';a=b',
  ';a="b"',
  ';a="\\""',
  ';',
  ';=',
  ';a=',
  ' ;a',
  '; a',
  ';a b',
  ';a="b',
  ';a="b"c',
  ';a\x80',
  ';a="\x80"',
  ';a;b=c',
)
const DATA = mostly('abc', 'ab', 'abcd', '', '\r\n', '0\r\n\r\n')
const chunk = fc.tuple(SIZE, EXTENSION, LINE_END, DATA, LINE_END).map((parts) => parts.join(''))
const lastChunk = fc
  .tuple(
    mostly('0', '00', '000000000', ''),
    EXTENSION,
    LINE_END,
    mostly(
      '',
      'X: y\r\n',
      'X : y\r\n',
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
      ' x\r\n',
      'X: y\n',
      'Host: b\r\nX:\r\n',
    ),
    LINE_END,
  )
  .map((parts) => parts.join(''))
const body = fc.oneof(
  fc.constantFrom('', 'abc', 'abcde', 'abcGET / HTTP/1.1\r\n'),
  fc.tuple(fc.array(chunk, { maxLength: 2 }), lastChunk).map(([chunks, last]) => chunks.join('') + last),
)

/** One that is right, so that much of what is made of several is read beyond the first. */
const good = fc.constantFrom(
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc',
  'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\nabc\r\n0\r\nX: y\r\n\r\n',
  'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
)

const firstLine = fc.tuple(METHOD, SPACE, TARGET, SPACE, VERSION, LINE_END).map((parts) => parts.join(''))
const built = fc
  .tuple(
    mostly('', '\r\n', '\r\n\r\n', '\n', ' '),
    firstLine,
    mostly('Host: x\r\n', ''),
    fc.array(header, { maxLength: 3 }),
    mostly('\r\n', '\n', '\r', ''),
    body,
  )
  .map(
    ([before, line, host, headers, end, content]) => before + line + host + headers.join('') + end + content,
  )

/** A byte that is changed, taken out, or put in. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  kind: fc.constantFrom('change', 'remove', 'insert'),
  byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x0a, 0x0d, 0x20, 0x09, 0x3a, 0x30)),
})

/** The bytes of a few requests, most of them slightly wrong, cut into pieces anywhere. */
export const pieces: fc.Arbitrary<readonly Buffer[]> = fc
  .tuple(
    fc.array(fc.oneof(good, built), { minLength: 1, maxLength: 3 }),
    fc.array(mutation, { maxLength: 2 }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  )
  .map(([messages, mutations, cuts]) => {
    const bytes = [...Buffer.from(messages.join(''), 'latin1')]
    for (const { at, kind, byte } of mutations)
      bytes.splice(
        Math.floor(at * bytes.length),
        kind === 'insert' ? 0 : 1,
        ...(kind === 'remove' ? [] : [byte]),
      )
    const all = Buffer.from(bytes)
    const ends = [...cuts.map((cut) => Math.round(cut * all.length)), all.length].toSorted((a, b) => a - b)
    return ends
      .map((end, index) => all.subarray(ends[index - 1] ?? 0, end))
      .filter(({ length }) => length > 0)
  })
