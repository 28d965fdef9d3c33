import { apiProblem, parameterProblem } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow } from './table.ts'

export const REQUEST_SENTENCES: readonly SentenceRow[] = [
  [
    parameterProblem('UndocumentedClass', 'resource', { name: 'Bok', known: ['Book'] }),
    400,
    'resource: no class is named "Bok"; did you mean "Book"?',
  ],
  [
    apiProblem('NoHistory', { className: 'Book' }),
    404,
    'There is nothing at this path: Book has no history; the API file gives it one with "history: true".',
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
    apiProblem('UnknownOperation', { name: 'x', known: ['ship', 'cancel'] }),
    404,
    'There is nothing at this path; possible: ship, cancel.',
  ],
  [
    apiProblem('NotNested', { filters: ['/books?author=/authors/1'] }),
    404,
    'There is nothing at this path; ask for /books?author=/authors/1.',
  ],
  [
    apiProblem('UnknownContext', { known: ['Book', 'Author'] }),
    404,
    'There is no such context; possible: Book, Author.',
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
    '"text/plain" is not supported here; send a/b or c/d.',
  ],
  [
    apiProblem('UnsupportedMediaType', { sent: undefined, types: ['a/b'], isPatch: true }),
    415,
    'The body has no Content-Type; send a/b.',
  ],
  [
    apiProblem('UnsupportedContentEncoding'),
    415,
    'Compressed bodies are not supported; send the body without Content-Encoding.',
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
    apiProblem('TooLongForMediaType', { mediaType: 'text/turtle' }),
    406,
    'The response is too long to be sent as text/turtle; ask for application/ld+json.',
  ],
  [
    apiProblem('ConversionBusy', { mediaType: 'text/turtle', ...RETRY }),
    503,
    'Too many responses are being converted to text/turtle; try again, or ask for application/ld+json.',
  ],
]
