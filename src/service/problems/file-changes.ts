// Sentences about what an API file changes, for `hydrant check` and for a server that does not start with it.
import type { CompatibleKind, FileChange, FileChangeProblems, IncompatibleKind } from '../../members/index.ts'
import type { Sentences } from '../../problem.ts'

const AT_NEXT_WRITE = 'at the next write, each host applies what its own file says'
/** model.md, A default fills. */
const NEEDED = 'each POST and PUT needs it, and a PATCH of other properties does not'
const IN_BACKGROUND = 'in the background; until then, a filter by it is 503'

/** What a compatible change is, and what it means for the hosts. */
const COMPATIBLE: Readonly<Record<CompatibleKind, readonly [change: string, meaning: string]>> = {
  'class added': ['is new', 'hosts with the former file do not serve it'],
  'class removed': [
    'is not in the file any more',
    'hosts with the former file go on serving it, and its members stay stored',
  ],
  added: ['is new', 'hosts with the former file do not show it, and keep its values when they write'],
  'added with default': [
    'is new',
    'hosts with the former file do not show it, and keep its values when they write; ' +
      `its default is filled in ${IN_BACKGROUND}`,
  ],
  'added as required': [
    'is new and required',
    `${NEEDED}; hosts with the former file write members without it`,
  ],
  removed: [
    'is not in the file any more',
    'hosts with the former file go on showing and writing it, and its values stay stored',
  ],
  required: ['is required now', `${NEEDED}; each host applies what its own file says`],
  optional: ['is not required any more', AT_NEXT_WRITE],
  constraints: ['has other constraints', AT_NEXT_WRITE],
  texts: ['has another title, description, label or example', 'each host shows that of its own file'],
  access: [
    'has other access rules',
    'each host applies them from its restart on, so rights that are taken away are gone everywhere once the last host has this file',
  ],
  reverse: ['has another "reverse"', 'each host shows that of its own file'],
  operations: ['has other operations', 'each host offers those of its own file'],
  default: ['has another default', AT_NEXT_WRITE],
  'filled default': ['has a default now', `members without a value get it ${IN_BACKGROUND}`],
  filterable: ['can be filtered by now', `the keys of stored members are computed ${IN_BACKGROUND}`],
  'not filterable': [
    'cannot be filtered by any more',
    'hosts with the former file go on answering filters by it',
  ],
  searched: [
    'is found by "q" in another way',
    'the words of stored members are computed in the background; until then, "q" is 503',
  ],
  'not unique': [
    'need not be unique any more',
    'from the moment the first host starts with this file, no host refuses a second member with the same value',
  ],
  'history on': ['has a history now', 'writes by hosts with the former file make no entries'],
  'history off': ['has no history any more', 'hosts with the former file go on making entries'],
  history: ['keeps its history for another time', 'each host removes entries by its own file'],
}

type Words = Pick<Extract<FileChange, { readonly isCompatible: false }>, 'from' | 'to'>

const INCOMPATIBLE: Readonly<Record<IncompatibleKind, (words: Words) => string>> = {
  type: ({ from, to }) =>
    from === undefined
      ? `is ${to} now, and members may have hidden values of another type`
      : `is ${to} now, and was ${from}`,
  renamed: ({ from }) => `was "${from}"`,
  unique: () => 'must be unique now',
  'class renamed': ({ from }) => `was ${from}`,
  embedded: () => 'is embedded now',
  single: () => 'is a single resource now',
  forms: () => 'has been changed too often since its members were last migrated',
  'earlier version': () => 'is stored in the format of an earlier version of Hydrant',
}

/** What has changed, without what it means. */
function sayChange(change: FileChange): string {
  const { className, property } = change
  const place = property === undefined ? className : `${className}.${property}`
  return `${place} ${change.isCompatible ? COMPATIBLE[change.kind][0] : INCOMPATIBLE[change.kind](change)}`
}

/** `Book.language is new: compatible; hosts with the former file …` */
export function describeFileChange(change: FileChange): string {
  const meaning = change.isCompatible
    ? `compatible; ${COMPATIBLE[change.kind][1]}`
    : `incompatible; all members of ${change.className} are migrated in one transaction at the first start, ` +
      'and hosts with the former file answer 503 for it'
  return `${sayChange(change)}: ${meaning}.`
}

export const FILE_CHANGES: Sentences<FileChangeProblems> = {
  IncompatibleFile: ({ changes }) =>
    `With this API file, hosts with the former one could not go on serving: ${changes.map(sayChange).join('; ')}. ` +
    'Start it without --migrate=compatible to migrate the members, or change the file.',
}
