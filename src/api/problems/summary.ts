import type { ProblemAnswers } from '../../http/index.ts'
import { amount, show } from '../../text.ts'
import { type NameChoice, nearestOr, nearestPath, possible } from './choices.ts'

/** Why a path does not fit a parameter of a summary. */
export type UnfitReason = 'reverse' | 'unfilterable' | 'number' | 'compared' | 'date'

const WHY_UNFIT: Readonly<Record<UnfitReason, string>> = {
  reverse: 'stands for all members that link here; name one of their properties',
  unfilterable: 'cannot be filtered, and so has no summary',
  number: 'is not a number',
  compared: 'is neither a number nor a date nor a text',
  date: 'is neither a date nor a dateTime',
}

/** Problems of a summary. */
export const SUMMARY_PROBLEMS = {
  UnknownSummaryPath: {
    status: 400,
    sentence: ({ path, ...choice }: NameChoice & { path: string }) =>
      choice.known.length === 0
        ? `${show(path)} does not lead to a property, and no path that begins so does.`
        : `${show(path)} does not lead to a property; ${nearestPath(path, choice)}`,
    help: 'Name a property of the class, or a path to one.',
  },
  UnfitSummaryPath: {
    status: 400,
    sentence: ({ path, reason, ...choice }: NameChoice & { path: string; reason: UnfitReason }) =>
      `${path} ${WHY_UNFIT[reason]}; ${choice.known.length === 0 ? 'the class has nothing that would do.' : possible(choice)}`,
    help: 'Group by properties that have filters; add up numbers; compare numbers, dates and texts.',
  },
  UnknownDateUnit: {
    status: 400,
    sentence: ({ path, unit, ...choice }: NameChoice & { path: string; unit: string }) =>
      `${path} has no groups by ${show(unit)}; ${nearestOr(possible(choice), unit, choice.known)}`,
    help: 'Group dates by year, month or day.',
  },
  DuplicateSummaryPath: {
    status: 400,
    sentence: ({ path }: { path: string }) => `${path} is named twice; name it once.`,
    help: 'Name each path once.',
  },
  TooManySummaryPaths: {
    status: 400,
    sentence: ({ what, count, max }: { what: 'groups' | 'figures'; count: number; max: number }) =>
      `The query asks for ${count} ${what}; the limit is ${max}.`,
    help: 'Ask for fewer groups or figures in one query.',
  },
  UnknownSummaryOrder: {
    status: 400,
    sentence: ({ name, ...choice }: NameChoice & { name: string }) =>
      `${show(name)} is not part of these summaries; ${nearestOr(possible(choice), name, choice.known)}`,
    help: 'Sort by count, by a group or by a figure of the query.',
  },
  TooManyGroups: {
    status: 400,
    sentence: ({ max }: { max: number }) =>
      `There are more than ${amount(max)} groups; add a filter, or group by fewer values, such as a date by ":month".`,
    help: 'Add a filter, or group by something that has fewer values.',
  },
  SumOutOfRange: {
    status: 400,
    sentence: 'The doubles of a group add up to more than a double can hold; add a filter.',
    help: 'Add a filter, or declare the property as a decimal.',
  },
  SummaryTooLarge: {
    status: 400,
    sentence: 'the texts of these summaries are too long for one page; ask for fewer.',
    help: 'Ask for fewer summaries on a page with itemsPerPage.',
  },
  SummaryChanged: {
    status: 503,
    sentence: (_: { retryAfterSeconds: number }) =>
      'Members were changed again and again while their texts were read; try again.',
    help: 'Send the request again after the time in Retry-After.',
  },
} as const satisfies ProblemAnswers
