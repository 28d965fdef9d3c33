import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  apiProblem,
  apiViolation,
  invalid,
  PROBLEM_TYPES,
  readProblem,
} from '../../src/api/problems/index.ts'
import { HttpError } from '../../src/errors.ts'
import { type Problem, problemAt } from '../../src/problem.ts'

// The table of sentences: each is asserted here, once; other tests compare codes.

const NEXT = { retryAfterSeconds: 2 }
const LINKS = { shown: ['http://a/books/1'], hidden: [], isAllReadable: true, isTruncated: false }

const SENTENCES: readonly (readonly [problem: Problem, status: number, sentence: string])[] = [
  [apiProblem('MalformedRequest'), 400, 'This is not well-formed HTTP/1.1.'],
  [
    apiProblem('UnknownMethod'),
    400,
    'This method is not known here; methods are written in capitals, such as GET or POST.',
  ],
  [apiProblem('ConnectRefused'), 400, 'CONNECT is not possible here.'],
  [
    apiProblem('UnsupportedHttpVersion', { version: 'HTTP/2.0' }),
    400,
    'HTTP/2.0 is not spoken here; HTTP/1.1 is.',
  ],
  [
    apiProblem('InvalidTarget'),
    400,
    'The address has a character that stands in none; write it percent-encoded, for example ö as %C3%B6.',
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
    'The only Transfer-Encoding that is understood is "chunked", in HTTP/1.1.',
  ],
  [apiProblem('PathNotFound', { start: '/api/' }), 404, 'There is nothing here; the API begins at /api/.'],
  [apiProblem('PathNotFound', { path: '/books/1/2' }), 404, 'There is nothing at /books/1/2.'],
  [apiProblem('PathNotFound'), 404, 'There is nothing at this path; one slash between names is enough.'],
  [
    apiProblem('TrailingSlash', { name: 'books' }),
    404,
    'There is nothing at this path; /books has no slash at its end, and its members have none in theirs.',
  ],
  [
    apiProblem('UnknownCollection', { name: 'boooks', known: ['books'] }),
    404,
    'No collection is named "boooks"; did you mean "books"?',
  ],
  [
    apiProblem('MethodNotAllowed', { method: 'PUT', allow: 'GET, HEAD' }),
    405,
    'PUT is not possible here; this resource takes GET, HEAD.',
  ],
  [
    apiProblem('MethodNotAllowed', { method: 'PUT', allow: '' }),
    405,
    'PUT is not possible here; this resource takes no method at all.',
  ],
  [
    apiProblem('NotAcceptable', { offered: ['a/b', 'c/d'] }),
    406,
    'Nothing acceptable can be sent; there is a/b, c/d.',
  ],
  [apiProblem('RequestTimeout'), 408, 'The request was not sent in time.'],
  [
    apiProblem('BodyTooLong', { maxBytes: 1024 }),
    413,
    'The body is longer than 1024 bytes, which is the limit.',
  ],
  [
    apiProblem('TargetTooLong', { maxBytes: 8192 }),
    414,
    'The target is longer than 8192 bytes, which is the limit.',
  ],
  [apiProblem('UnmetExpectation'), 417, 'The only expectation that can be met is "100-continue".'],
  [
    apiProblem('HeadersTooLong'),
    431,
    'The request line and the headers together are longer than 16 KiB, or more than 2000.',
  ],
  [
    apiProblem('BodyMemoryFull', NEXT),
    503,
    'The bodies of other requests take all memory for them; try again in 2 s.',
  ],
  [apiProblem('IncompleteBody'), 400, 'The request ended before its body did.'],
  [apiProblem('Unauthenticated'), 401, 'Need credentials to authenticate'],
  [
    apiProblem('TooManyAttempts', NEXT),
    429,
    'Too many wrong paraphrases from this address; try again in 2 s.',
  ],
  [apiProblem('NotChecked'), 500, 'The request could not be checked.'],
  [
    apiProblem('TooManyExchanges', NEXT),
    503,
    'Too many exchanges are waiting; try again in 2 s. Requests with a token are served as usual.',
  ],
  [
    apiProblem('PartOfMember', { name: 'title', address: '/books/1' }),
    404,
    'There is nothing at this path; title is a part of the member at /books/1.',
  ],
  [
    apiProblem('UnknownOperation', { name: 'shp', known: ['ship'] }),
    404,
    'There is nothing at this path; did you mean "ship"?',
  ],
  [
    apiProblem('NotNested', { filters: ['/books?author=/authors/1'] }),
    404,
    'There is nothing at this path; ask for /books?author=/authors/1.',
  ],
  [
    apiProblem('UnknownContext', { known: ['Book', 'Author'] }),
    404,
    'There is no such context; there is Book, Author.',
  ],
  [apiProblem('TooManyEtags', { header: 'If-Match', max: 64 }), 400, 'If-Match: send at most 64 ETags.'],
  [
    apiProblem('InvalidEtag', { header: 'If-Match' }),
    400,
    'If-Match: this is not an ETag; send it with its double quotes, as it was in the ETag header.',
  ],
  [
    apiProblem('BatchHasNoEtag'),
    400,
    'A batch has no ETag; give ifMatch or ifNoneMatch with each operation.',
  ],
  [apiProblem('BodyNotUtf8'), 400, 'The body is not UTF-8.'],
  [
    apiProblem('UnsupportedMediaType', { sent: 'text/plain', types: ['a/b', 'c/d'], isPatch: false }),
    415,
    '"text/plain" is not understood here; send a/b or c/d.',
  ],
  [
    apiProblem('UnsupportedMediaType', { sent: undefined, types: ['a/b'], isPatch: true }),
    415,
    'The body has no Content-Type; send a/b.',
  ],
  [
    apiProblem('UnsupportedContentEncoding'),
    415,
    'Compressed bodies are not understood; send it without Content-Encoding.',
  ],
  [
    apiProblem('BodyNotAnObject', { kind: 'member' }),
    422,
    'The body must be one JSON object, the member itself.',
  ],
  [
    apiProblem('BodyNotAnObject', { kind: 'patch' }),
    422,
    'The body must be one JSON object with the properties that are to change.',
  ],
  [
    apiProblem('BodyNotAnObject', { kind: 'batch' }),
    422,
    'The body must be one JSON object with the list "operation".',
  ],
  [apiProblem('UnexpectedBody'), 422, 'This operation takes no body; leave it out.'],
  [
    apiProblem('InvalidId'),
    400,
    'This address cannot be that of a new member: its last part must be 1 to 128 letters, digits, ".", "_", "~" and "-", and not "." or "..".',
  ],
  [
    apiProblem('Forbidden', {
      roles: ['editor', 'author'],
      owner: false,
      operation: 'create',
      what: 'articles',
    }),
    403,
    'Only an editor or an author may create articles.',
  ],
  [
    apiProblem('Forbidden', { roles: ['editor'], owner: true, operation: 'update', what: 'this member' }),
    403,
    'Only an editor or its owner may update this member.',
  ],
  [
    apiProblem('Forbidden', { roles: [], owner: false, operation: 'delete', what: 'topics' }),
    403,
    'Nobody may delete topics.',
  ],
  [
    apiProblem('NotCreatable', { collection: 'books' }),
    403,
    'A member of books can be replaced but not created: the API file has no such operation.',
  ],
  [
    apiProblem('NotReplaceable', { name: 'Home' }),
    403,
    'Home is there, and the API file has no operation that replaces it.',
  ],
  [
    apiProblem('MemberNotFound', { collection: 'books', id: 'emma' }),
    404,
    'The collection books has no member "emma".',
  ],
  [
    apiProblem('MemberNotFound', { collection: 'books', id: 'emma', mayCreate: true }),
    404,
    'The collection books has no member "emma"; to create it, send If-None-Match: *.',
  ],
  [apiProblem('ResourceNotFound', { name: 'Home' }), 404, 'There is no Home yet.'],
  [
    apiProblem('ResourceNotFound', { name: 'Home', mayPut: true }),
    404,
    'There is no Home yet; PUT creates it.',
  ],
  [
    apiProblem('StillLinked', LINKS),
    409,
    'Other members link to this one and would be left with a link to nothing: http://a/books/1.',
  ],
  [
    apiProblem('StillLinked', { ...LINKS, shown: [], hidden: ['Draft 1'], isAllReadable: false }),
    409,
    'Members hold this one through a property or a class that the API file does not show now and would be left with a link to nothing: Draft 1. Delete them, or take the link out of them, under an API file that shows it. Members that you may not read link to this one and would be left with a link to nothing.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'changed' }),
    412,
    'The member has changed since it had the ETag in If-Match; read it again before you change it.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'nothingThere' }),
    412,
    'There is nothing at this address, and If-Match asks for a member to be there.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'added' }),
    412,
    'A new member is added here, and If-Match asks for one that is there; send it without If-Match.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'alreadyThere' }),
    412,
    'There is something at this address already, and If-None-Match: * asks for nothing to be there.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'ruledOut' }),
    412,
    'The member is in a state that If-None-Match rules out.',
  ],
  [
    apiProblem('PreconditionRequired'),
    428,
    'This server takes changes only with an If-Match header; send the ETag that you read.',
  ],
  [
    apiProblem('ConcurrentChanges', { members: 'member', ...NEXT }),
    503,
    'Others are changing the same member; try again shortly.',
  ],
  [
    apiProblem('BatchTooLong'),
    413,
    'The members that this batch writes are too long together; send several batches.',
  ],
  [
    apiProblem('BatchTooMuchWork'),
    413,
    'The operations of this batch are too much work together; send those that were not carried out in several batches, with bodies in the terms of this API.',
  ],
  [
    apiProblem('DetailOmitted', { code: 'ValidationFailed', violations: 1_200 }),
    422,
    'This answer has no room for its violations (1,200); send it alone.',
  ],
  [
    apiProblem('DetailOmitted', { code: 'StillLinked', violations: 0 }),
    422,
    'This answer has no room for more than the code of the problem, StillLinked; send it alone.',
  ],
  [
    apiProblem('TooManyBatches', NEXT),
    503,
    'Other batches of yours are still being prepared; try again when they are answered.',
  ],
  [
    apiProblem('OperationNotTried', NEXT),
    503,
    'This was not tried, since those before it got 503; try again shortly.',
  ],
  [
    apiProblem('ServerFault', { requestId: 'r1' }),
    500,
    'The server failed; its log has the reason under r1.',
  ],
  [
    apiProblem('HooksTooDeep', { max: 8 }),
    500,
    'Hooks have written through members more than 8 deep; one causes itself.',
  ],
  [
    apiProblem('HookTimeout', { hook: 'beforeWrite', className: 'Order', ...NEXT }),
    503,
    'The hook beforeWrite of Order has not answered in time; nothing was written. Try again.',
  ],
  [
    apiProblem('OperationTimeout', { operation: 'ship', className: 'Order', ...NEXT }),
    503,
    'The operation ship of Order has not answered in time; it may have been carried out in part. Look before you send it again.',
  ],
  [apiProblem('ApiFileChanging', NEXT), 503, 'A changed API file is being applied; try again.'],
  [apiProblem('Rejected', { sentence: 'Not on Sundays.' }), 422, 'Not on Sundays.'],
]

for (const [problem, status, sentence] of SENTENCES) {
  test(`${problem.code}: ${sentence.slice(0, 60)}`, () => {
    const read = readProblem(problem)
    assert.deepEqual([read.status, read.sentence], [status, sentence])
  })
}

const VIOLATIONS: readonly (readonly [violation: ReturnType<typeof apiViolation>, message: string])[] = [
  [
    apiViolation('TooManyOperations', 'operation', { max: 1_000 }),
    'may have 1,000 operations; send several batches.',
  ],
  [apiViolation('OperationsNotAList', 'operation'), 'must be a list of operations.'],
  [apiViolation('OperationNotAnObject', ''), 'must be an object with a method and a target.'],
  [
    apiViolation('UnknownKey', 'metod', { key: 'metod', known: ['method'] }),
    'is not known here; did you mean "method"?',
  ],
  [apiViolation('InvalidMethod', 'method', { methods: ['POST', 'PUT'] }), 'must be one of POST, PUT.'],
  [
    apiViolation('InvalidOperationTarget', 'target'),
    'must be the path of a collection, a member or a single resource, relative to the base URL or absolute below it.',
  ],
  [
    apiViolation('RepeatedTarget', 'target'),
    'is that of an earlier operation, and the class has hooks; send them one after the other.',
  ],
  [apiViolation('NameWithoutMember', 'id'), 'names a member that is made; leave it out.'],
  [
    apiViolation('InvalidName', 'id'),
    'must be a name such as "_:ann", to link to the member in later operations.',
  ],
  [apiViolation('NameTaken', 'id', { name: '_:a' }), '_:a is the name of another member already.'],
  [apiViolation('InvalidOperationEtag', 'ifMatch'), 'must be an ETag with its double quotes, or "*".'],
  [apiViolation('IdTaken', '@id', { id: 'a' }), 'a exists already.'],
  [apiViolation('Rejected', 'lines', { sentence: 'an order has lines.' }), 'an order has lines.'],
]

for (const [violation, message] of VIOLATIONS) {
  test(`${violation.code} at ${violation.at.property || 'the whole'}: ${message.slice(0, 60)}`, () => {
    const { code, violations } = readProblem(invalid(violation))
    assert.equal(code, 'ValidationFailed')
    assert.deepEqual(violations, [
      { propertyPath: violation.at.property ?? '', message, code: violation.code },
    ])
  })
}

test('the sentence of several violations has all of them, and where each is', () => {
  const problem = invalid(
    apiViolation('OperationsNotAList', 'operation'),
    apiViolation('OperationNotAnObject', ''),
  )
  assert.equal(
    readProblem(problem).sentence,
    'operation: must be a list of operations. must be an object with a method and a target.',
  )
  const { sentence, violations, furtherViolations } = readProblem(problem, 1)
  assert.equal(sentence, 'operation: must be a list of operations. And 1 more.')
  assert.deepEqual([violations.length, furtherViolations], [1, 1])
})

test('a problem within a batch names its operation, and one of a query its parameter', () => {
  const inBatch = problemAt(invalid(apiViolation('IdTaken', '@id', { id: 'a' })), { operation: 3 })
  const { sentence, violations, at } = readProblem(inBatch)
  assert.equal(sentence, 'operation[3]: @id: a exists already.')
  assert.deepEqual([violations[0]?.propertyPath, at.operation], ['operation[3]/@id', 3])
  const inQuery = apiProblem('Rejected', { sentence: 'no.' }, { at: { parameter: 'page' } })
  assert.equal(readProblem(inQuery).sentence, 'page: no.')
})

test('headers come from the values of a problem', () => {
  const headersOf = (problem: Problem) => readProblem(problem).headers
  assert.deepEqual(headersOf(apiProblem('TooManyBatches', NEXT)), ['Retry-After', '2'])
  assert.deepEqual(headersOf(apiProblem('MethodNotAllowed', { method: 'PUT', allow: 'GET' })), [
    'Allow',
    'GET',
  ])
  assert.deepEqual(
    headersOf(apiProblem('UnsupportedMediaType', { sent: 'a/b', types: ['c/d', 'e/f'], isPatch: true })),
    ['Accept-Patch', 'c/d, e/f'],
  )
  assert.deepEqual(headersOf(apiProblem('ServerFault', { requestId: 'r1' })), ['X-Request-Id', 'r1'])
})

test('what a program throws keeps its own status and sentence, and the code that the API gave it', () => {
  const own = readProblem(new HttpError(409, 'It is shipped.'))
  assert.deepEqual([own.status, own.sentence, own.code], [409, 'It is shipped.', 'Rejected'])
  const passedOn = readProblem(new HttpError(404, 'No member.', { code: 'MemberNotFound' }))
  assert.deepEqual([passedOn.status, passedOn.sentence, passedOn.code], [404, 'No member.', 'MemberNotFound'])
  const unknown = readProblem(new HttpError(418, 'A teapot.', { code: 'Teapot' }))
  assert.deepEqual([unknown.status, unknown.code], [418, 'Rejected'])
})

test('every problem has a sentence here, a title and what to do', () => {
  const asserted = new Set(SENTENCES.map(([problem]) => problem.code))
  const missing = PROBLEM_TYPES.map(({ code }) => code).filter((code) => !asserted.has(code))
  // Made of its violations.
  assert.deepEqual(missing, ['ValidationFailed'])
  for (const { code, title, help } of PROBLEM_TYPES) {
    assert.match(title, /^[A-Z][a-z]/, code)
    assert.match(help, /^[A-Z].*\.$/, code)
  }
})
