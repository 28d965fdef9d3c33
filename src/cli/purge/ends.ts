import { createInterface } from 'node:readline/promises'
import { COMMAND_SETTINGS } from '../../config/index.ts'
import type { ClassSchema } from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import { explainOpenFailure } from '../../service/database.ts'
import { compact } from '../../store/open.ts'
import { amount } from '../../text.ts'
import type { Model } from '../../vocabulary/index.ts'
import { commandOn } from '../database.ts'
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
  /** With --compact, leaves nothing of what was removed in the files of the database. */
  compactIfAsked(): Promise<void>
  /** Prints what was removed, after the database was compacted if that was asked for. */
  finish(removed: readonly object[], text: string): Promise<void>
}

/** How every purge begins and ends: with a question, and with a database that is compacted. */
export function createEnds(
  { io, setting, say }: Invocation,
  db: string,
  file: string,
): Pick<Purge, 'confirm' | 'compactIfAsked' | 'finish'> {
  async function compactIfAsked(): Promise<void> {
    if (!setting(COMMAND_SETTINGS.compact)) return
    try {
      await explainOpenFailure(db, () => compact(db))
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'DatabaseLocked')) throw error
      throw commandProblem('NotCompacted', { command: commandOn(db, `purge ${file} --compact`) })
    }
  }
  return {
    async confirm(lines) {
      if (setting(COMMAND_SETTINGS.yes)) return
      if (!io.stdin.isTTY) throw commandProblem('YesNeeded')
      io.stderr.write(`This removes for good:\n${lines}\n`)
      const reader = createInterface({ input: io.stdin, output: io.stderr })
      const answer = await reader.question('Remove it? [y/N] ').finally(() => reader.close())
      if (!/^y(?:es)?$/i.test(answer.trim())) throw commandProblem('Cancelled')
    },
    compactIfAsked,
    async finish(removed, text) {
      await compactIfAsked()
      say({ removed }, text)
    },
  }
}

export const entryCount = (entries: number): string =>
  `${amount(entries)} ${entries === 1 ? 'entry' : 'entries'}`
