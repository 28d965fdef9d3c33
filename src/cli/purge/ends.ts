import { createInterface } from 'node:readline/promises'
import { COMMAND_SETTINGS } from '../../config/index.ts'
import type { ClassSchema } from '../../members/index.ts'
import { explainOpenFailure } from '../../service/database.ts'
import { compact } from '../../store/open.ts'
import { amount } from '../../text.ts'
import type { Model } from '../../vocabulary/index.ts'
import type { Invocation } from '../invocation.ts'
import { commandProblem } from '../problems.ts'

/** What each kind of purge works on. */
export interface Purge {
  readonly call: Invocation
  readonly db: string
  readonly file: string
  readonly model: Model
  readonly shapes: readonly ClassSchema[]
  /** Asks before what these lines name is removed; throws if the answer is no. */
  confirm(lines: string): Promise<void>
  /** Prints what was removed, after the space was given back if --compact asks for it. */
  finish(removed: readonly object[], text: string): Promise<void>
}

/** How every purge begins and ends: with a question, and with the space that is given back. */
export const createEnds = (
  { io, setting, say }: Invocation,
  db: string,
): Pick<Purge, 'confirm' | 'finish'> => ({
  async confirm(lines) {
    if (setting(COMMAND_SETTINGS.yes)) return
    if (!io.stdin.isTTY) throw commandProblem('YesNeeded')
    io.stderr.write(`This removes for good:\n${lines}\n`)
    const reader = createInterface({ input: io.stdin, output: io.stderr })
    const answer = await reader.question('Remove it? [y/N] ').finally(() => reader.close())
    if (!/^y(?:es)?$/i.test(answer.trim())) throw commandProblem('Cancelled')
  },
  async finish(removed, text) {
    if (setting(COMMAND_SETTINGS.compact)) await explainOpenFailure(db, () => compact(db))
    say({ removed }, text)
  },
})

export const entryCount = (entries: number): string =>
  `${amount(entries)} ${entries === 1 ? 'entry' : 'entries'}`
