import type { DatabaseSync } from 'node:sqlite'
import type { CommandsFor } from '../../../database/sqlite/commands.ts'
import { nameKey } from '../../rules.ts'
import { type AuthStore, REMOVAL_MS, rolesOf, rolesText } from '../index.ts'
import { createChange, type RunChange } from './attempts.ts'

type UserWrite =
  | 'addUser'
  | 'changeUser'
  | 'changeOwnParaphrase'
  | 'upgradeParaphrase'
  | 'beginRemoval'
  | 'cancelRemoval'
  | 'removeUser'
export type UserWrites = CommandsFor<Pick<AuthStore, UserWrite>>

export const increment = (db: DatabaseSync, setting: string): RunChange =>
  createChange(
    db,
    `INSERT INTO settings VALUES ('${setting}', 1) ON CONFLICT DO UPDATE SET value = value + 1`,
  )

/** `raiseGeneration`: for writes that end tokens or change roles. */
export function createUserWrites(db: DatabaseSync, raiseGeneration: () => void): UserWrites {
  const raiseUsers = increment(db, 'users_generation')
  return {
    addUser: createAddUser(db, raiseUsers),
    changeUser: createChangeUser(db, raiseUsers, raiseGeneration),
    ...createParaphraseWrites(db, raiseGeneration),
    ...createRemoval(db, raiseUsers, raiseGeneration),
  }
}

const USER_BY_KEY = 'SELECT id FROM users WHERE name_key = ?'

function createAddUser(db: DatabaseSync, raiseUsers: () => void): UserWrites['addUser'] {
  const byId = db.prepare('SELECT 1 FROM users WHERE id = ?')
  const byKey = db.prepare(USER_BY_KEY)
  const highest = db.prepare(`SELECT max(coalesce((SELECT max(id) FROM users), 0),
    coalesce((SELECT value FROM settings WHERE name = 'highest_user_id'), 0)) AS id`)
  const insert = createChange(
    db,
    `INSERT INTO users (id, paraphrase_hash, added_at, number, roles, name, name_key)
      SELECT ?, ?, ?, value + 1, ?, ?, ? FROM settings WHERE name = 'user_number'`,
  )
  const countUser = increment(db, 'user_number')
  return ({ id: wanted, name, roles, paraphraseHash }, now) => {
    const key = name === undefined ? null : nameKey(name)
    if (wanted !== undefined && byId.get(wanted) !== undefined) return 'id taken'
    if (key !== null && byKey.get(key) !== undefined) return 'name taken'
    const id = wanted ?? Number(highest.get()?.id) + 1
    if (!Number.isSafeInteger(id)) return 'no next id'
    insert(id, paraphraseHash, now, rolesText(roles), name ?? null, key)
    countUser()
    raiseUsers()
    return id
  }
}

/** Whether a user other than this one has one of the roles, and is not being removed. */
function createOthersHaveRole(db: DatabaseSync): (id: number, roles: readonly string[]) => boolean {
  const found = db.prepare(`SELECT 1 FROM users WHERE id <> ?1
    AND (removal_at IS NULL OR abs(?2 - removal_at) >= ${REMOVAL_MS})
    AND EXISTS (SELECT 1 FROM json_each(?3) AS kept
      WHERE instr(',' || users.roles || ',', ',' || kept.value || ',') > 0) LIMIT 1`)
  return (id, roles) => found.get(id, Date.now(), JSON.stringify(roles)) !== undefined
}

const hasOne = (held: readonly string[], wanted: readonly string[]): boolean =>
  held.some((role) => wanted.includes(role))

function createChangeUser(
  db: DatabaseSync,
  raiseUsers: () => void,
  raiseGeneration: () => void,
): UserWrites['changeUser'] {
  const read = db.prepare('SELECT name, roles, revision FROM users WHERE id = ?')
  const byKey = db.prepare(USER_BY_KEY)
  const othersHaveRole = createOthersHaveRole(db)
  const update = createChange(
    db,
    `UPDATE users SET name = ?2, name_key = ?3, roles = ?4, paraphrase_hash = coalesce(?5, paraphrase_hash),
      revision = revision + (name IS NOT ?2 OR roles <> ?4) WHERE id = ?1`,
  )
  const removeTokens = createChange(db, 'DELETE FROM tokens WHERE user_id = ?')
  return (id, { name, roles, paraphraseHash }, { revision, keepRoles = [] } = {}) => {
    const present = read.get(id)
    if (present === undefined) return 'missing'
    if (revision !== undefined && revision !== present.revision) return 'stale'
    const held = rolesOf(String(present.roles))
    const loses = roles !== undefined && hasOne(held, keepRoles) && !hasOne(roles, keepRoles)
    if (loses && !othersHaveRole(id, keepRoles)) return 'last manager'
    const nextName = name === undefined ? (present.name as string | null) : name
    const key = nextName === null ? null : nameKey(nextName)
    const holder = key === null ? undefined : byKey.get(key)
    if (holder !== undefined && holder.id !== id) return 'name taken'
    update(id, nextName, key, rolesText(roles ?? held), paraphraseHash ?? null)
    if (paraphraseHash !== undefined) removeTokens(id)
    if (roles !== undefined || paraphraseHash !== undefined) raiseGeneration()
    raiseUsers()
    return 'changed'
  }
}

type ParaphraseWrites = Pick<UserWrites, 'changeOwnParaphrase' | 'upgradeParaphrase'>

function createParaphraseWrites(db: DatabaseSync, raiseGeneration: () => void): ParaphraseWrites {
  const replace = createChange(
    db,
    'UPDATE users SET paraphrase_hash = ?3 WHERE id = ?1 AND paraphrase_hash = ?2',
  )
  const removeOthers = createChange(db, 'DELETE FROM tokens WHERE user_id = ? AND id IS NOT ?')
  return {
    changeOwnParaphrase(id, from, to, keptTokenId) {
      if (replace(id, from, to) === 0) return false
      removeOthers(id, keptTokenId ?? null)
      raiseGeneration()
      return true
    },
    upgradeParaphrase: replace,
  }
}

function createRemoval(
  db: DatabaseSync,
  raiseUsers: () => void,
  raiseGeneration: () => void,
): Pick<UserWrites, 'beginRemoval' | 'cancelRemoval' | 'removeUser'> {
  const read = db.prepare('SELECT roles FROM users WHERE id = ?')
  const othersHaveRole = createOthersHaveRole(db)
  const mark = createChange(db, 'UPDATE users SET removal_at = ?2 WHERE id = ?1')
  const remove = createChange(db, 'DELETE FROM users WHERE id = ?')
  const rememberId = createChange(
    db,
    `INSERT INTO settings VALUES ('highest_user_id', CAST(? AS INTEGER))
      ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`,
  )
  return {
    beginRemoval(id, keepRoles) {
      const found = read.get(id)
      if (found === undefined) return 'missing'
      if (hasOne(rolesOf(String(found.roles)), keepRoles) && !othersHaveRole(id, keepRoles))
        return 'last manager'
      mark(id, Date.now())
      return 'begun'
    },
    cancelRemoval(id) {
      mark(id, null)
    },
    removeUser(id) {
      raiseGeneration()
      if (remove(id) === 0) return false
      rememberId(id)
      raiseUsers()
      return true
    },
  }
}
