import { violationSentence } from '../api/problems/values.ts'
import type { BrokenConstraint } from '../members/index.ts'
import { amount } from '../text.ts'
import type { Class, Model } from '../vocabulary/index.ts'

/** `60 customers lack vatId; they can be read and updated, and the next PUT of each needs it. A default would fill it in.` */
export function describeBroken(
  { className, violation, members }: BrokenConstraint,
  { classes }: Model,
): string {
  const cls = classes.find(({ name }) => name === className)
  const one = members === 1
  const who = `${amount(members)} ${one ? (cls?.title ?? className).toLowerCase() : (cls?.plural ?? className)}`
  const { property } = violation.at
  // model.md: an update that does not touch a required property is not refused for it.
  const isMissing = violation.code === 'RequiredValue' || violation.code === 'BlankText'
  const next = isMissing
    ? 'can be read and updated, and the next PUT of'
    : 'can be read, and the next write to'
  const can = `${next} ${one ? 'it' : 'each'}`
  if (violation.code === 'RequiredValue')
    return `${who} ${one ? 'lacks' : 'lack'} ${property}; ${one ? 'it' : 'they'} ${can} needs it.${fillHint(cls, property)}`
  const breaks = `${who} ${one ? 'breaks' : 'break'} a constraint: ${property} ${violationSentence(violation)}`
  return `${breaks} ${one ? 'It' : 'They'} ${can} must mend that.`
}

/** Links, embedded values and texts by language cannot have a default. */
function fillHint(cls: Class | undefined, property: string | undefined): string {
  const range = cls?.properties.find(({ name }) => name === property)?.range
  const canFill = range?.kind === 'datatype' && range.datatype !== 'langString'
  return canFill ? ' A default would fill it in.' : ''
}
