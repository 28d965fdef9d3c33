import type { ProblemAnswers } from '../../http/index.ts'
import { suggestion } from '../../text.ts'

/** Problems of a request to a resource: its path, its headers, its body as a whole. */
export const REQUEST_PROBLEMS = {
  PartOfMember: {
    status: 404,
    sentence: ({ name, address }: { name: string; address: string }) =>
      `There is nothing at this path; ${name} is a part of the member at ${address}.`,
    help: 'Read the member: the value is a part of it.',
  },
  UnknownOperation: {
    status: 404,
    sentence: ({ name, known }: { name: string; known: readonly string[] }) =>
      `There is nothing at this path; ${suggestion(name, known)}`,
    help: 'Send one of the operations that the documentation names for the class.',
  },
  NotNested: {
    status: 404,
    sentence: ({ filters }: { filters: readonly string[] }) =>
      `There is nothing at this path; ask for ${filters.join(' or ')}.`,
    help: 'Ask the other collection with a filter: collections are not nested.',
  },
  UnknownContext: {
    status: 404,
    sentence: ({ known }: { known: readonly string[] }) =>
      `There is no such context; there is ${known.join(', ')}.`,
    help: 'Use the address of a context as a representation gives it.',
  },
} as const satisfies ProblemAnswers
