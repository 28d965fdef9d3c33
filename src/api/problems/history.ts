import type { ProblemAnswers } from '../../http/index.ts'

/** Problems of the history of members. */
export const HISTORY_PROBLEMS = {
  MemberGone: {
    status: 410,
    sentence: ({ since, history }: GoneMember) =>
      `This member was deleted${since === undefined ? '' : ` at ${since}`}; its history is at ${history}.`,
    headers: ({ history }: GoneMember) => ['Link', `<${history}>; rel="timemap version-history"`],
    help: 'Follow the link to its history: from there the member can be read as it was, and brought back.',
  },
  NoSuchEntry: {
    status: 404,
    sentence: ({ address }: { address: string }) =>
      `The history of ${address} has no such entry; take its address from the history.`,
    help: 'Take the address of an entry from the history of the member; old entries may have been removed.',
  },
  NotThereThen: {
    status: 404,
    sentence: ({ address, from }: { address: string; from: string | undefined }) =>
      from === undefined
        ? `There is no history of ${address}.`
        : `${address} did not exist at that time, or its history does not go back that far; it begins at ${from}.`,
    help: 'Ask for a later time, or read the history of the member.',
  },
  InvalidDatetime: {
    status: 400,
    sentence: 'Accept-Datetime: this is not a date; send one such as "Wed, 18 Nov 2026 09:30:00 GMT".',
    help: 'Send the time in GMT, in the form that the Date header has.',
  },
  IncludeInPast: {
    status: 400,
    sentence:
      'linked members are included as they are today, so not in a member as it was; leave the parameter out, and follow its links.',
    help: 'Leave the parameter out, and read linked members at their addresses, with Accept-Datetime if you need them as they were.',
  },
  OnlyValue: {
    status: 400,
    sentence: ({ value }: { value: string }) =>
      `the only value is ${value}; send it, or leave the parameter out.`,
    help: 'Send the value that the detail names, or leave the parameter out.',
  },
} as const satisfies ProblemAnswers

export interface GoneMember {
  readonly history: string
  /** The time of the deletion; undefined if it is not known. */
  readonly since: string | undefined
}
