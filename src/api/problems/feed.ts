import type { ProblemAnswers } from '../../http/index.ts'
import { show, suggestion } from '../../text.ts'

/** Problems of the feed of changes. */
export const FEED_PROBLEMS = {
  UnknownFeedCollection: {
    status: 400,
    sentence: ({ name, known }: { name: string; known: readonly string[] }) =>
      `no collection is named ${show(name)}; ${suggestion(name, known, '.')}`,
    help: 'Name a collection as the entry point does.',
  },
  UnknownFeedInclude: {
    status: 400,
    sentence: ({ text }: { text: string }) => `${show(text)} cannot be included; possible: object.`,
    help: 'Send "include=object", or leave it out.',
  },
  InvalidResourceAddress: {
    status: 400,
    sentence: ({ text, base }: { text: string; base: string }) =>
      `${show(text)} is not the address of a resource; send one such as ${base}/books/1.`,
    help: 'Send an address as the "@id" of a representation has it.',
  },
  InvalidEventId: {
    status: 400,
    sentence: ({ text }: { text: string }) =>
      `${show(text)} is not the id of an event; send one unchanged, or leave it out to follow from now on.`,
    help: 'Send the id of an event unchanged, or leave it out.',
  },
  EventIdGone: {
    status: 410,
    sentence: ({ id }: { id: string; base: string }) =>
      `This event id is too old, or belongs to another database or to a time before a restore. Read the collections again, then follow from ${id} (after=${id}, or Last-Event-ID).`,
    headers: ({ id, base }: { id: string; base: string }) => [
      'Link',
      `<${base}/events?after=${id}>; rel="next"`,
    ],
    help: 'Read the collections again, then follow the link "next" of the response.',
  },
  TooManyStreams: {
    status: 503,
    sentence: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many streams are open; try again in ${retryAfterSeconds} s.`,
    help: 'Try again after the time in Retry-After, or read the feed page by page.',
  },
  TooManyOwnStreams: {
    status: 503,
    sentence: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many of your streams are open; close one, or try again in ${retryAfterSeconds} s.`,
    help: 'Close a stream: one can follow several collections.',
  },
} as const satisfies ProblemAnswers
