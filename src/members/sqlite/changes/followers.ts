import type { CommandSource, Writer } from '../../../database/sqlite/commands.ts'
import { arrays, sharedNow } from '../../../database/sqlite/connection.ts'
import type { SqliteDatabase } from '../../../database/sqlite/database.ts'
import {
  type FollowerRow,
  type FollowerStore,
  summaryText,
  toSummary,
  toWait,
  WAIT_COLUMNS,
  type WaitRow,
} from '../../followers.ts'
import type { FollowerCommands } from './follower-commands.ts'

export const FOLLOWER_COMMANDS: CommandSource = { module: new URL('follower-commands', import.meta.url).href }

/** The positions of followers, in a database whose writer has FOLLOWER_COMMANDS. */
export function openFollowers(database: SqliteDatabase): FollowerStore {
  const { db, file } = database
  const writer: Writer<FollowerCommands> = database.writer<FollowerCommands>()
  const waits = arrays(db, `SELECT ${WAIT_COLUMNS} FROM follower_waits WHERE follower = ?`)
  const first = arrays(db, 'SELECT min(position) FROM changes')
  const list = arrays(db, summaryText('f.holder IS NOT NULL AND f.lease_until >= ?1'))
  const held = arrays(
    db,
    `SELECT 1 FROM followers
     WHERE name = ?1 AND holder IS NOT NULL AND lease_until BETWEEN ?2 AND ?2 + ?3`,
  )
  return {
    register: (...args) => writer.write('register', args),
    async claim(...args) {
      const [name, , leaseMs] = args
      // A process that waits for the lease of another one does not take the lock of the file for it.
      const isHeld = file.read(() => held.get(name, Math.round(sharedNow()), leaseMs)) !== undefined
      return isHeld ? undefined : writer.writeUnsynced('claim', args)
    },
    renew: (...args) => writer.writeUnsynced('renew', args),
    release: (...args) => writer.writeUnsynced('release', args),
    // A power failure may undo it: then some changes are handled again.
    save: (...args) => writer.writeUnsynced('save', args),
    waits: (name) => file.read(() => waits.all<WaitRow>(name).map(toWait)),
    firstPosition: () => file.read(() => first.get<[number | null]>()?.[0] ?? undefined),
    list: () =>
      file.read(() =>
        list.all<FollowerRow>(Math.round(sharedNow())).map((row) => toSummary(row, Date.now())),
      ),
    skip: (...args) => writer.write('skip', args),
    resume: (...args) => writer.write('resume', args),
    rewind: (...args) => writer.write('rewind', args),
  }
}
