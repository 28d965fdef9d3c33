import { testRefusals } from './every-response.ts'
import { AUTHOR, GET, HOST, head, JSON_TYPE, POST } from './requests.ts'

// Where a message ends must be beyond doubt: whoever reads it otherwise than a proxy in front of us can be made to
// see a second request in it (RFC 9112 §11.2). authentication.md, Before the gate.

/** What would be added if a request with it were let through. */
const CHUNKED_AUTHOR = `e\r\n${AUTHOR}\r\n0\r\n\r\n`

const chunked = (who: string, ...lines: readonly string[]): string =>
  head(POST, HOST, JSON_TYPE, who, ...lines) + CHUNKED_AUTHOR

const sized = (who: string, ...lines: readonly string[]): string =>
  head(POST, HOST, JSON_TYPE, who, ...lines) + AUTHOR

testRefusals({
  400: [
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'Transfer-Encoding gzip, chunked is 400',
      request: (who) => chunked(who, 'Transfer-Encoding: gzip, chunked'),
    },
    {
      name: 'Transfer-Encoding xchunked is 400',
      request: (who) => chunked(who, 'Transfer-Encoding: xchunked'),
    },
    {
      name: 'Transfer-Encoding identity is 400',
      request: (who) => chunked(who, 'Transfer-Encoding: identity'),
    },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'Transfer-Encoding Chunked is 400: it is not exactly chunked',
      request: (who) => chunked(who, 'Transfer-Encoding: Chunked'),
    },
    {
      name: 'Transfer-Encoding twice is 400',
      request: (who) => chunked(who, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
    },
    {
      name: 'Transfer-Encoding with a vertical tab before chunked is 400',
      request: (who) => chunked(who, 'Transfer-Encoding: \x0bchunked'),
    },
    {
      name: 'Transfer-Encoding without a value is 400',
      request: (who) => chunked(who, 'Transfer-Encoding:'),
    },
    {
      name: 'Transfer-Encoding in HTTP/1.0 is 400',
      request: (who) =>
        head('POST /api/authors HTTP/1.0', HOST, JSON_TYPE, who, 'Transfer-Encoding: chunked') +
        CHUNKED_AUTHOR,
    },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'Transfer-Encoding before Content-Length is 400',
      request: (who) => chunked(who, 'Transfer-Encoding: chunked', 'Content-Length: 24'),
    },
    // contract: What is not well-formed HTTP/1.0 or 1.1
    {
      name: 'Content-Length before Transfer-Encoding is 400',
      request: (who) => chunked(who, 'Content-Length: 24', 'Transfer-Encoding: chunked'),
    },
    {
      name: 'Content-Length twice is 400, even when they agree',
      request: (who) => sized(who, 'Content-Length: 14', 'Content-Length: 14'),
    },
    { name: 'Content-Length as a list is 400', request: (who) => sized(who, 'Content-Length: 14,14') },
    { name: 'Content-Length with a sign is 400', request: (who) => sized(who, 'Content-Length: +14') },
    { name: 'Content-Length below zero is 400', request: (who) => sized(who, 'Content-Length: -1') },
    { name: 'Content-Length in hexadecimal is 400', request: (who) => sized(who, 'Content-Length: 0xe') },
    { name: 'Content-Length without a value is 400', request: (who) => sized(who, 'Content-Length:') },
    {
      name: 'Content-Length beyond 64 bits is 400',
      request: (who) => sized(who, 'Content-Length: 18446744073709551630'),
    },
    { name: 'A folded header is 400', request: (who) => head(GET, HOST, who, 'X-Folded: one', ' two') },
    { name: 'A folded token is 400', request: (who) => head(GET, HOST, who.replace(': ', ':\r\n ')) },
    {
      name: 'A bad chunk after a good one is 400',
      request: (who) =>
        `${head(POST, HOST, JSON_TYPE, who, 'Transfer-Encoding: chunked')}e\r\n${AUTHOR}\r\nxyz\r\n`,
    },
    {
      name: 'A chunk whose size is followed by LF alone is 400',
      request: (who) =>
        `${head(POST, HOST, JSON_TYPE, who, 'Transfer-Encoding: chunked')}e\n${AUTHOR}\r\n0\r\n\r\n`,
    },
    { name: 'Lines that end in LF alone are 400', request: (who) => `${GET}\n${HOST}\n${who}\n\n` },
    {
      name: 'CR alone in a header is 400',
      request: (who) => head(GET, HOST, who, 'X-Value: one\rX-Other: two'),
    },
    { name: 'NUL in a header is 400', request: (who) => head(GET, HOST, who, 'X-Value: one\0two') },
    { name: 'A space before the colon is 400', request: (who) => head(GET, HOST, who.replace(':', ' :')) },
    { name: 'A header without a colon is 400', request: (who) => head(GET, HOST, who, 'nothing') },
  ],
})
