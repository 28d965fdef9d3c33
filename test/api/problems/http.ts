import { apiProblem } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow } from './table.ts'

export const HTTP_SENTENCES: readonly SentenceRow[] = [
  [apiProblem('MalformedRequest'), 400, 'The request is not well-formed HTTP/1.1.'],
  [
    apiProblem('UnknownMethod'),
    400,
    'The method is unknown; methods are written in capitals, such as GET or POST.',
  ],
  [apiProblem('ConnectRefused'), 400, 'CONNECT is not supported; this server is not a proxy.'],
  [
    apiProblem('UnsupportedHttpVersion', { version: 'HTTP/2.0' }),
    400,
    'HTTP/2.0 is not supported; send HTTP/1.1.',
  ],
  [
    apiProblem('InvalidTarget'),
    400,
    'The address has a character that no address may have; percent-encode it, for example ö as %C3%B6.',
  ],
  [
    apiProblem('InvalidPathEncoding'),
    400,
    'The path has a "%" that does not begin a percent-encoded UTF-8 character.',
  ],
  [apiProblem('MissingHost'), 400, 'The request has no Host header.'],
  [apiProblem('DuplicateHost'), 400, 'The request has more than one Host header.'],
  [apiProblem('InvalidHost'), 400, 'The Host header is not a host with an optional port.'],
  [
    apiProblem('UnsupportedTransferEncoding'),
    400,
    'The only supported Transfer-Encoding is "chunked", in HTTP/1.1.',
  ],
  [apiProblem('PathNotFound', { start: '/api/' }), 404, 'There is nothing here; the API begins at /api/.'],
  [apiProblem('PathNotFound', { path: '/books/1/2' }), 404, 'There is nothing at /books/1/2.'],
  [apiProblem('PathNotFound'), 404, 'There is nothing at this path; one slash between names is enough.'],
  [
    apiProblem('TrailingSlash', { name: 'books', address: '/api/books' }),
    404,
    'There is nothing at this path; leave out the slash at the end: /api/books.',
  ],
  [
    apiProblem('TrailingSlash', { name: 'books' }),
    404,
    'There is nothing at this path; ids below /books have no slashes.',
  ],
  [
    apiProblem('UnknownCollection', { name: 'boooks', known: ['books'] }),
    404,
    'No collection is named "boooks"; did you mean "books"?',
  ],
  [
    apiProblem('UnknownCollection', { name: 'x', known: ['books', 'authors'] }),
    404,
    'No collection is named "x"; possible: books, authors.',
  ],
  [
    apiProblem('MethodNotAllowed', { method: 'PUT', allow: 'GET, HEAD' }),
    405,
    'PUT is not allowed here; this resource allows GET, HEAD.',
  ],
  [
    apiProblem('MethodNotAllowed', { method: 'PUT', allow: '' }),
    405,
    'PUT is not allowed here; this resource allows no methods.',
  ],
  [
    apiProblem('NotAcceptable', { offered: ['a/b', 'c/d'] }),
    406,
    'No media type in Accept is available here; possible: a/b, c/d.',
  ],
  [apiProblem('RequestTimeout'), 408, 'The request was not sent in time.'],
  [apiProblem('BodyTooLong', { maxBytes: 1024 }), 413, 'The body is longer than the limit of 1024 bytes.'],
  [
    apiProblem('TargetTooLong', { maxBytes: 8192 }),
    414,
    'The address is longer than the limit of 8192 bytes.',
  ],
  [apiProblem('UnmetExpectation'), 417, 'The only supported value of Expect is "100-continue".'],
  [
    apiProblem('HeadersTooLong'),
    431,
    'The request line and the headers together are longer than 16 KiB, or there are more than 2000 headers.',
  ],
  [
    apiProblem('BodyMemoryFull', RETRY),
    503,
    'The bodies of other requests take up all the memory for bodies; try again in 2 s.',
  ],
  [apiProblem('IncompleteBody'), 400, 'The request ended before its body did.'],
  [apiProblem('Unauthenticated'), 401, 'Need credentials to authenticate'],
  [
    apiProblem('TooManyAttempts', RETRY),
    429,
    'Too many wrong passphrases from this address; try again in 2 s.',
  ],
  [apiProblem('NotChecked'), 500, 'The request could not be checked.'],
  [
    apiProblem('TooManyExchanges', RETRY),
    503,
    'Too many exchanges are waiting; try again in 2 s. Requests with a token are served as usual.',
  ],
]
