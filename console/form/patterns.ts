/** So much is matched in the blink of an eye. */
const MOST_STEPS = 10_000_000
/** Beyond that they are left to the server. */
const LONGEST_TEXT = 200
const LONGEST_PATTERN = 1_000

/** What a pattern is made of; a class and an escape say nothing of how often. */
const PARTS =
  /\\[pPu]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gs

/**
 * Whether a pattern of an API that may be anybody's can be run on a text of this length: at worst, an expression tries
 * every way in which its quantifiers and alternatives could share the text between them. `(a+)+` has exponentially many.
 */
export function isQuick(pattern: string, length: number): boolean {
  if (length > LONGEST_TEXT || pattern.length > LONGEST_PATTERN) return false
  return stepsFor(pattern, length + 1) <= MOST_STEPS
}

interface Group {
  /** Ways through it: the alternatives. */
  alternatives: number
  /** Whether there is more than one way through it. */
  isOpen: boolean
}

/** How many ways there are, at most; infinite for those that nobody should count. */
function stepsFor(pattern: string, length: number): number {
  const whole: Group = { alternatives: 1, isOpen: false }
  const groups = [whole]
  let closed: Group | undefined
  let steps = 1
  for (const [part] of pattern.matchAll(PARTS)) {
    const [group = whole] = groups
    const before = closed
    closed = undefined
    // What was found before has to be found again, as long as it may be.
    if (/^\\[1-9k]/.test(part)) return Number.POSITIVE_INFINITY
    if (part.startsWith('(')) groups.unshift({ alternatives: 1, isOpen: false })
    else if (part === '|') {
      group.alternatives += 1
      group.isOpen = true
    } else if (part === ')') {
      groups.shift()
      steps *= group.alternatives
      closed = group
      if (group.isOpen && groups[0]) groups[0].isOpen = true
    } else if (/^(?:[*+?]|\{\d)/.test(part)) {
      const isOnce = part.startsWith('?')
      if (before?.isOpen && !isOnce) return Number.POSITIVE_INFINITY
      if (/^\{\d+\}/.test(part)) continue
      group.isOpen = true
      steps *= isOnce ? 2 : length
    }
  }
  const isAnchored = pattern.startsWith('^') && whole.alternatives === 1
  return steps * whole.alternatives * (isAnchored ? 1 : length)
}
