import { violationSentence } from '../../api/problems/values.ts'
import type { ConversionProblems } from '../../members/index.ts'
import {
  type IncompatibleMember,
  MAX_REPORTED,
  type MigrationProblems,
  type MigrationViolation,
} from '../../members/index.ts'
import { type Sentences, say } from '../../problem.ts'
import { inSentence } from '../../text.ts'
import type { ValueProblems } from '../../vocabulary/index.ts'

/** Why a stored member cannot be served under another API file: the end of a sentence that begins with the property. */
export const MIGRATION_SENTENCES: Sentences<MigrationProblems & ConversionProblems> = {
  SeveralMembers: ({ total, formerName, name }) =>
    `is one of ${total} members of ${formerName}, and ${name} is a single resource in the API file. ` +
    `Give ${name} a collection, and delete all but one of them; otherwise give the class another name, which hides them.`,
  NoSuchTarget: ({ id, className }) =>
    `links to ${JSON.stringify(id)}, which is not a member of ${className}.`,
  DuplicateValue: ({ address, value }) => `must be unique, and ${address} has ${value ?? 'this value'} too.`,
  DuplicateValues: ({ address, properties: [, ...others], values }) => {
    const same = values.includes(undefined) ? 'the same values' : inSentence(values as readonly string[])
    return `must be unique together with ${inSentence(others)}, and ${address} has ${same} too.`
  },
  BothNamesUsed: ({ name, was }) =>
    `has a value of its own, and the API file says that "${name}" was "${was}", which has values too. ` +
    `Leave the "was" out if those of "${name}" are the right ones; otherwise give the property another name.`,
  OneValueNow: ({ count }) => `can have one value now, and has ${count}.`,
  CannotEmbed: ({ value, className }) =>
    `${value} cannot be converted to an embedded value of the class ${className}, which is an object with its properties.`,
  CannotLink: ({ value, collection }) =>
    `${value} cannot be converted to a link to a member of ${collection}.`,
  LinkNow: ({ value, datatype }) => `${value} is a link, and must be of type ${datatype} now.`,
  CannotConvert: ({ value, problem }) => {
    if (problem.code !== 'WrongDatatype') return `${value} ${violationSentence(problem)}`
    const { datatype } = problem.values as ValueProblems['WrongDatatype']
    return `${value} cannot be converted to the type ${datatype}.`
  },
}

/** Why a member is incompatible; without the property, which has the name of today. */
export function migrationSentence(violation: MigrationViolation): string {
  const { code, newPath } = violation
  const sentence = Object.hasOwn(MIGRATION_SENTENCES, code)
    ? say(MIGRATION_SENTENCES[code as keyof typeof MIGRATION_SENTENCES] as never, violation)
    : violationSentence(violation)
  return newPath === undefined
    ? sentence
    : `${sentence} It is called ${JSON.stringify(newPath)} in this file.`
}

export const incompatibleSentence = (incompatible: readonly IncompatibleMember[]): string =>
  [
    'The database has members that are incompatible with this API file; change the file, or these members under the former one:',
    ...incompatibleLines(incompatible),
  ].join('\n')

/** A line for each problem of each member. */
export const incompatibleLines = (incompatible: readonly IncompatibleMember[]): string[] => [
  ...incompatible.flatMap(({ address, newAddress, violations }) => {
    const member = newAddress === undefined ? address : `${address} (${newAddress} in this file)`
    return violations.map((violation) => {
      const property = violation.at.property ? `${violation.at.property}: ` : ''
      return `  ${member}: ${property}${migrationSentence(violation)}`
    })
  }),
  ...(incompatible.length < MAX_REPORTED ? [] : ['  There may be more.']),
]
