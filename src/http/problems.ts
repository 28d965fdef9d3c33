import { type CodesOf, type Problem, problemsOf } from '../problem.ts'
import { show, suggestion } from '../text.ts'
import { MAX_HEADERS } from './limits.ts'
import type { Response } from './messages.ts'
import { answerFor, errorResponse, type ProblemAnswers } from './response.ts'

/** Problems of a request as HTTP, whatever it asks for; the same for everyone (authentication.md, Before the gate). */
export const HTTP_PROBLEMS = {
  MalformedRequest: {
    status: 400,
    sentence: 'The request is not well-formed HTTP/1.1.',
    help: 'Use an HTTP client library: the bytes of the request are not HTTP/1.1.',
  },
  UnknownMethod: {
    status: 400,
    sentence: 'The method is unknown; methods are written in capitals, such as GET or POST.',
    help: 'Send one of the methods that the Allow header of the resource names.',
  },
  ConnectRefused: {
    status: 400,
    sentence: 'CONNECT is not supported; this server is not a proxy.',
    help: 'Do not use this server as a proxy.',
  },
  UnsupportedHttpVersion: {
    status: 400,
    sentence: ({ version }: { version: string }) => `${version} is not supported; send HTTP/1.1.`,
    help: 'Send HTTP/1.1.',
  },
  InvalidTarget: {
    status: 400,
    sentence:
      'The address has a character that no address may have; percent-encode it, for example ö as %C3%B6.',
    help: 'Percent-encode the address.',
  },
  InvalidPathEncoding: {
    status: 400,
    sentence: 'The path has a "%" that does not begin a percent-encoded UTF-8 character.',
    help: 'Percent-encode the path as UTF-8.',
  },
  MissingHost: {
    status: 400,
    sentence: 'The request has no Host header.',
    help: 'Send the host of the address in a Host header.',
  },
  DuplicateHost: {
    status: 400,
    sentence: 'The request has more than one Host header.',
    help: 'Send one Host header.',
  },
  InvalidHost: {
    status: 400,
    sentence: 'The Host header is not a host with an optional port.',
    help: 'Send a host with an optional port, such as example.org:8080.',
  },
  UnsupportedTransferEncoding: {
    status: 400,
    sentence: 'The only supported Transfer-Encoding is "chunked", in HTTP/1.1.',
    help: 'Send the body with a Content-Length, or chunked.',
  },
  PathNotFound: {
    status: 404,
    sentence: ({ path, start }: { path?: string; start?: string }) => {
      if (start !== undefined) return `There is nothing here; the API begins at ${start}.`
      if (path !== undefined) return `There is nothing at ${path}.`
      return 'There is nothing at this path; one slash between names is enough.'
    },
    help: 'Follow the links of the entry point instead of building addresses.',
  },
  TrailingSlash: {
    status: 404,
    /** `address`: without the slash; undefined if that would not help. */
    sentence: ({ name, address }: { name: string; address?: string }) =>
      `There is nothing at this path; ${address === undefined ? `ids below /${name} have no slashes` : `leave out the slash at the end: ${address}`}.`,
    help: 'Leave out the slash at the end; ids have no slashes.',
  },
  UnknownCollection: {
    status: 404,
    sentence: ({ name, known }: { name: string; known: readonly string[] }) =>
      `No collection is named ${show(name)}; ${suggestion(name, known, '.')}`,
    help: 'Follow the links of the entry point: they name the collections.',
  },
  MethodNotAllowed: {
    status: 405,
    sentence: ({ method, allow }: { method: string; allow: string }) =>
      `${method} is not allowed here; this resource allows ${allow || 'no methods'}.`,
    headers: ({ allow }: { allow: string }) => ['Allow', allow],
    help: 'Send one of the methods in the Allow header.',
  },
  NotAcceptable: {
    status: 406,
    sentence: ({ offered }: { offered: readonly string[] }) =>
      `No media type in Accept is available here; possible: ${offered.join(', ')}.`,
    help: 'Name one of the offered media types in Accept, or leave Accept out.',
  },
  RequestTimeout: {
    status: 408,
    sentence: 'The request was not sent in time.',
    help: 'Send the whole request without a pause.',
  },
  BodyTooLong: {
    status: 413,
    sentence: ({ maxBytes }: { maxBytes: number }) =>
      `The body is longer than the limit of ${maxBytes} bytes.`,
    help: 'Send less in one request.',
  },
  TargetTooLong: {
    status: 414,
    sentence: ({ maxBytes }: { maxBytes: number }) =>
      `The address is longer than the limit of ${maxBytes} bytes.`,
    help: 'Ask for less in one query.',
  },
  UnmetExpectation: {
    status: 417,
    sentence: 'The only supported value of Expect is "100-continue".',
    help: 'Leave the Expect header out.',
  },
  HeadersTooLong: {
    status: 431,
    sentence: `The request line and the headers together are longer than 16 KiB, or there are more than ${MAX_HEADERS} headers.`,
    help: 'Send fewer and shorter headers.',
  },
  BodyMemoryFull: {
    status: 503,
    sentence: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `The bodies of other requests take up all the memory for bodies; try again in ${retryAfterSeconds} s.`,
    help: 'Send the request again after the time in Retry-After.',
  },
} as const satisfies ProblemAnswers

export const httpProblem = problemsOf<CodesOf<typeof HTTP_PROBLEMS>>()

/** The response to a request that is refused before the app sees it. */
export const httpErrorResponse = (problem: Problem, shared: readonly string[]): Response =>
  errorResponse(answerFor(problem, HTTP_PROBLEMS) ?? HTTP_PROBLEMS.MalformedRequest, shared)
