import type { DatabaseSync } from 'node:sqlite'
import { AHEAD_MS } from '../../../database/index.ts'
import type { FileWatch } from '../../../database/sqlite/file-watch.ts'
import { type AuthStore, rolesOf, type User, type UserEntry, type UserRoles } from '../index.ts'

export const IS_LIVE = `expires_at > ?1 AND issued_at <= ?1 + ${AHEAD_MS}`

type SqliteRow = Readonly<Record<string, unknown>>

/** A row that has a user's roles as text. */
export const withRoles = <T extends UserRoles>(row: SqliteRow | undefined): T | undefined =>
  row && ({ ...row, roles: rolesOf(String(row.roles)) } as unknown as T)

/** A row of all columns of a user. */
const toUser = <T extends UserRoles>(row: SqliteRow | undefined): T | undefined =>
  row && withRoles({ ...row, name: row.name ?? undefined, signedInAt: row.signedInAt ?? undefined })

const COLUMNS = 'id, number, roles, name, revision, added_at AS addedAt, signed_in_at AS signedInAt'
const LIVE_TOKENS = `(SELECT count(*) FROM tokens WHERE user_id = users.id AND ${IS_LIVE}) AS liveTokens`

type UserRead =
  | 'findUser'
  | 'findUserByName'
  | 'listUsers'
  | 'listAccounts'
  | 'usersGeneration'
  | 'hashParameters'

export function createUserReads(db: DatabaseSync, file: FileWatch): Pick<AuthStore, UserRead> {
  const findBy = (column: string) =>
    db.prepare(`SELECT ${COLUMNS}, paraphrase_hash AS paraphraseHash FROM users WHERE ${column} = ?`)
  const byId = findBy('id')
  const byKey = findBy('name_key')
  const users = db.prepare(`SELECT ${COLUMNS}, ${LIVE_TOKENS} FROM users ORDER BY id`)
  const accounts = db.prepare(`SELECT id, signed_in_at AS signedInAt, ${LIVE_TOKENS}
    FROM users WHERE id IN (SELECT value FROM json_each(?2))`)
  const generation = db.prepare("SELECT value FROM settings WHERE name = 'users_generation'")
  const hashParameters =
    db.prepare(`SELECT DISTINCT substr(paraphrase_hash, 1, at + instr(substr(paraphrase_hash, at + 1), '$'))
    AS parameters FROM (SELECT paraphrase_hash, instr(paraphrase_hash, ',p=') AS at FROM users) WHERE at > 0`)
  return {
    findUser: (id) => file.read(() => toUser<User>(byId.get(id))),
    findUserByName: (key) => file.read(() => toUser<User>(byKey.get(key))),
    listUsers: async (now) => file.read(() => users.all(now).map((row) => toUser(row) as UserEntry)),
    listAccounts: async (ids, now) =>
      file.read(() => {
        const rows = accounts.all(now, JSON.stringify(ids))
        return new Map(
          rows.map(({ id, signedInAt, liveTokens }) => [
            Number(id),
            {
              signedInAt: signedInAt === null ? undefined : Number(signedInAt),
              liveTokens: Number(liveTokens),
            },
          ]),
        )
      }),
    usersGeneration: () => file.read(() => Number(generation.get()?.value ?? 0)),
    hashParameters: async () =>
      file.read(() => hashParameters.all().map(({ parameters }) => String(parameters))),
  }
}
