/** The labels of members, by their addresses (asking.md, Labels). */
export type Labels = Readonly<Record<string, string>>

/** `"The Hobbit" (http://localhost:8080/api/books/1)`; an address alone where there is no label. */
export const namedBy =
  (labels: Labels = {}) =>
  (address: string): string => {
    const label = Object.hasOwn(labels, address) ? labels[address] : undefined
    return label === undefined ? address : `"${label}" (${address})`
  }

/** The members that link to the member that a request wants to remove. */
export interface StillLinkedValues {
  /** Addresses of members whose link the API file shows. */
  readonly shown: readonly string[]
  /** The labels of the first of these members. */
  readonly labels?: Labels | undefined
  /** Members whose link the API file hides now, and may show again. */
  readonly hidden: readonly string[]
  /** Whether the user may read all members that were found. */
  readonly isAllReadable: boolean
  /** Whether there may be more than were found. */
  readonly isTruncated: boolean
  /** Whether other members would be deleted with this one: the links may lead to them. */
  readonly takesOthers?: boolean | undefined
}

/** How many linking members are named. */
const MAX_NAMED = 10
const LEFT = 'would be left with a link to nothing'
const HIDDEN = 'through a property or a class that the current API file does not show'
const WAY_OUT = 'Delete them, or remove the link from them, under an API file that shows it.'

export function stillLinkedSentence(values: StillLinkedValues): string {
  const { shown, labels, hidden, isAllReadable, takesOthers } = values
  const link = `link to this one${takesOthers ? ', or to one that would be deleted with it,' : ''}`
  const sentences: string[] = []
  if (shown.length > 0)
    sentences.push(
      `Other members ${link} and ${LEFT}: ${list(shown.map(namedBy(labels)), MAX_NAMED, values)}.`,
    )
  if (hidden.length > 0) {
    const most = Math.max(1, MAX_NAMED - shown.length)
    sentences.push(`Members ${link} ${HIDDEN} and ${LEFT}: ${list(hidden, most, values)}. ${WAY_OUT}`)
  }
  // Neither the number of these members nor their addresses may be shown (access.md, On the wire).
  if (!isAllReadable) sentences.push(`Members that you may not read ${link} and ${LEFT}.`)
  return sentences.join(' ')
}

/** The members whose links the API file shows, as data: as many as the sentence names. */
export function linkingMembers({ shown, hidden, isAllReadable, isTruncated }: StillLinkedValues) {
  const hasFurtherLinks = shown.length > MAX_NAMED || hidden.length > 0 || !isAllReadable || isTruncated
  return {
    ...(shown.length > 0 && { linkedFrom: shown.slice(0, MAX_NAMED) }),
    ...(hasFurtherLinks && { hasFurtherLinks }),
  }
}

function list(all: readonly string[], most: number, values: StillLinkedValues): string {
  const rest = all.length - most
  if (rest <= 0 && !values.isTruncated) return all.join(', ')
  return `${all.slice(0, most).join(', ')} and ${countRest(Math.max(0, rest), values)}`
}

/** If not all links were found, a number would also count members that the user may not read. */
function countRest(count: number, { isTruncated, isAllReadable }: StillLinkedValues): string {
  if (!isTruncated) return `${count} more`
  if (!isAllReadable) return 'others'
  return count > 1_000 ? 'more than 1,000 more' : `at least ${count} more`
}
