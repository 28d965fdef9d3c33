import { LD_JSON, type ProblemAnswers } from '../../http/index.ts'
import { show, suggestion } from '../../text.ts'

/** Problems of a request to a resource: its path, its headers, its body as a whole. */
export const REQUEST_PROBLEMS = {
  PartOfMember: {
    status: 404,
    sentence: ({ name, address }: { name: string; address: string }) =>
      `There is nothing at this path; ${name} is a part of the member at ${address}.`,
    help: 'Read the member: the value is a part of it.',
  },
  NoHistory: {
    status: 404,
    sentence: ({ className }: { className: string }) =>
      `There is nothing at this path: ${className} has no history; the API file gives it one with "history: true".`,
    help: 'Write "history: true" at the class in the API file, or at its top for all classes.',
  },
  UnknownOperation: {
    status: 404,
    sentence: ({ name, known }: { name: string; known: readonly string[] }) =>
      `There is nothing at this path; ${suggestion(name, known, '.')}`,
    help: 'Send one of the operations that the documentation names for the class.',
  },
  NotNested: {
    status: 404,
    sentence: ({ filters }: { filters: readonly string[] }) =>
      `There is nothing at this path; ask for ${filters.join(' or ')}.`,
    help: 'Ask the other collection with a filter: collections are not nested.',
  },
  UndocumentedClass: {
    status: 400,
    sentence: ({ name, known }: { name: string; known: readonly string[] }) =>
      `no class is named ${show(name)}; ${suggestion(name, known, '.')}`,
    help: 'Name a class as its IRI ends, or leave the parameter out.',
  },
  UnknownContext: {
    status: 404,
    sentence: ({ known }: { known: readonly string[] }) =>
      `There is no such context; possible: ${known.join(', ')}.`,
    help: 'Use the address of a context as a representation gives it.',
  },
  TooManyEtags: {
    status: 400,
    sentence: ({ header, max }: { header: string; max: number }) => `${header}: send at most ${max} ETags.`,
    help: 'Send the ETag that you read, and no other.',
  },
  InvalidEtag: {
    status: 400,
    sentence: ({ header }: { header: string }) =>
      `${header}: this is not an ETag; send it with its double quotes, as it was in the ETag header.`,
    help: 'Send the ETag as it was in the ETag header, with its double quotes.',
  },
  BatchHasNoEtag: {
    status: 400,
    sentence: 'A batch has no ETag; give ifMatch or ifNoneMatch with each operation.',
    help: 'Give ifMatch or ifNoneMatch with each operation.',
  },
  BodyNotUtf8: {
    status: 400,
    sentence: 'The body is not UTF-8.',
    help: 'Encode the body as UTF-8.',
  },
  UnsupportedMediaType: {
    status: 415,
    sentence: ({ sent, types }: MediaTypes) => {
      const named =
        sent === undefined ? 'The body has no Content-Type' : `${show(sent)} is not supported here`
      return `${named}; send ${types.join(' or ')}.`
    },
    // RFC 5789 §2.2.
    headers: ({ types, isPatch }: MediaTypes) => (isPatch ? ['Accept-Patch', types.join(', ')] : []),
    help: 'Send the body as one of the media types that the detail names, with its Content-Type.',
  },
  UnsupportedContentEncoding: {
    status: 415,
    sentence: 'Compressed bodies are not supported; send the body without Content-Encoding.',
    help: 'Send the body without Content-Encoding.',
  },
  BodyNotAnObject: {
    status: 422,
    sentence: ({ kind }: { kind: 'member' | 'patch' | 'batch' }) =>
      `The body must be one JSON object${OBJECTS[kind]}.`,
    help: 'Send one JSON object.',
  },
  UnexpectedBody: {
    status: 422,
    sentence: 'This operation takes no body; leave it out.',
    help: 'Leave the body out.',
  },
  TooLongForMediaType: {
    status: 406,
    sentence: ({ mediaType }: { mediaType: string }) =>
      `The response is too long to be sent as ${mediaType}; ask for ${LD_JSON}.`,
    help: 'Ask for JSON-LD, which has no limit, or for smaller pages.',
  },
  ConversionBusy: {
    status: 503,
    sentence: ({ mediaType }: { mediaType: string; retryAfterSeconds: number }) =>
      `Too many responses are being converted to ${mediaType}; try again, or ask for ${LD_JSON}.`,
    help: 'Send the request again after the time in Retry-After, or ask for JSON-LD.',
  },
} as const satisfies ProblemAnswers

export interface MediaTypes {
  readonly sent: string | undefined
  readonly types: readonly string[]
  readonly isPatch: boolean
}

const OBJECTS = {
  member: ', the member itself',
  patch: ' with the properties that are to change',
  batch: ' with the list "operation"',
}
