import type { MigrationChange } from '../store/index.ts'
import { nearest } from '../text.ts'
import { count } from './output.ts'

/** What an API file does to the data, in a sentence for people. */
export function tellChange(change: MigrationChange): string {
  const { className, members } = change
  switch (change.change) {
    case 'renamed':
      return `${className}: "${change.from}" becomes "${change.property}" (${count(members, 'member')}).`
    case 'hidden':
      return (
        `${className}: "${change.property}" is not in the file any more; ` +
        `hidden in ${count(members, 'member')} until it is back.${hintFor(change.property, change.unfilled)}`
      )
    case 'shown':
      return `${className}: "${change.property}" is back in the file; shown again in ${count(members, 'member')}.`
    case 'class renamed':
      return `${change.from} becomes ${className} (${count(members, 'member')}).`
    case 'class hidden':
      return `${className} is not in the file any more; its ${count(members, 'member')} ${members === 1 ? 'is' : 'are'} hidden until it is back.`
  }
}

/** Whether something can be seen no more. */
export const isLoss = ({ change }: MigrationChange): boolean =>
  change === 'hidden' || change === 'class hidden'

const MOST_NAMED = 5

/** A property that is new in the file may be the one that is missed, under another name. */
function hintFor(property: string, unfilled: readonly string[]): string {
  if (property.includes('/') || unfilled.length === 0) return ''
  const likely = nearest(property, unfilled) ?? (unfilled.length === 1 ? unfilled[0] : undefined)
  if (likely !== undefined) return ` If "${property}" was renamed, say so: ${likely}: { …, was: ${property} }`
  const some = unfilled.slice(0, MOST_NAMED).map((name) => `"${name}"`)
  return ` If it is one of ${some.join(', ')} now, say so there: { …, was: ${property} }`
}

/** For programs. */
export function reportChange({ className, ...change }: MigrationChange): object {
  return { class: className, ...change }
}
