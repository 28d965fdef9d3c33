import { AHEAD_MS } from '../../../database/index.ts'
import { arrayOf } from '../../../database/postgres/arrays.ts'
import { inTime } from '../../../database/postgres/deadlines.ts'
import type { DatabasePools } from '../../../database/postgres/pools.ts'
import { nameKey } from '../../rules.ts'
import {
  type AddedUser,
  type AuthStore,
  type BegunRemoval,
  type ChangedUser,
  rolesOf,
  rolesText,
  type UserEntry,
} from '../index.ts'

export const IS_LIVE = `expires_at > $1 AND issued_at <= $1 + ${AHEAD_MS}`

/** For writes that end tokens or change roles: this process empties its cache of tokens. */
export type ThenForget = <T>(work: Promise<T>) => Promise<T>

type UserReads = Pick<
  AuthStore,
  'findUser' | 'findUserByName' | 'listUsers' | 'listAccounts' | 'usersGeneration' | 'hashParameters'
>

type StoredUserWrites = Pick<
  AuthStore,
  | 'addUser'
  | 'changeUser'
  | 'setRoles'
  | 'setParaphrase'
  | 'changeOwnParaphrase'
  | 'upgradeParaphrase'
  | 'beginRemoval'
  | 'cancelRemoval'
  | 'removeUser'
>

export const createUsers = (pools: DatabasePools, thenForget: ThenForget): UserReads & StoredUserWrites => ({
  ...createUserReads(pools),
  ...createUserWrites(pools, thenForget),
})

const COLUMNS = 'id, number, roles, name, revision, added_at, signed_in_at'
type UserRow = readonly [
  id: number,
  number: number,
  roles: string,
  name: string | null,
  revision: number,
  addedAt: number,
  signedInAt: number | null,
]
const LIVE_TOKENS = `(SELECT count(*) FROM tokens WHERE user_id = users.id AND ${IS_LIVE})`

const toProperties = ([id, number, roles, name, revision, addedAt, signedInAt]: readonly [
  ...UserRow,
  ...unknown[],
]): Omit<UserEntry, 'liveTokens'> => ({
  ...{ id, number, roles: rolesOf(roles), name: name ?? undefined },
  ...{ revision, addedAt, signedInAt: signedInAt ?? undefined },
})

const createUserReads = ({ quick, slow }: DatabasePools): UserReads => {
  async function findBy(column: 'id' | 'name_key', value: number | string) {
    const text = `SELECT ${COLUMNS}, paraphrase_hash FROM users WHERE ${column} = $1`
    const [row] = await quick.run<readonly [...UserRow, hash: string]>(text, [value])
    return row && { ...toProperties(row), paraphraseHash: row[7] }
  }
  return {
    findUser: (id) => findBy('id', id),
    findUserByName: (key) => findBy('name_key', key),
    async listUsers(now) {
      const text = `SELECT ${COLUMNS}, ${LIVE_TOKENS} FROM users ORDER BY id`
      const rows = await slow.run<readonly [...UserRow, liveTokens: number]>(text, [now])
      return rows.map((row) => ({ ...toProperties(row), liveTokens: row[7] }))
    },
    async listAccounts(ids, now) {
      const text = `SELECT id, signed_in_at, ${LIVE_TOKENS} FROM users WHERE id = ANY ($2::bigint[])`
      const rows = await quick.run<[number, number | null, number]>(text, [now, arrayOf(ids)])
      return new Map(
        rows.map(([id, signedInAt, liveTokens]) => [id, { signedInAt: signedInAt ?? undefined, liveTokens }]),
      )
    },
    async usersGeneration() {
      const [row] = await quick.run<[string]>("SELECT value FROM settings WHERE name = 'users_generation'")
      return Number(row?.[0] ?? 0)
    },
    async hashParameters() {
      const rows = await slow.run<[string]>(
        `SELECT DISTINCT parameters FROM users, substring(paraphrase_hash from '^.*,p=\\d+\\$') AS parameters
          WHERE parameters IS NOT NULL`,
      )
      return rows.map(([parameters]) => parameters)
    },
  }
}

/** Changes of users are functions of the schema (database/postgres/users.ts). */
function createUserWrites({ writes }: DatabasePools, thenForget: ThenForget): StoredUserWrites {
  const changeUser: AuthStore['changeUser'] = async (
    id,
    { name, roles, paraphraseHash },
    { revision, keepRoles } = {},
  ) => {
    const text = `SELECT change_user($1, $2, $3, $4, $5, $6, $7, $8::text[]) WHERE ${inTime(9)}`
    const named = [name !== undefined, name ?? null, typeof name === 'string' ? nameKey(name) : null]
    const change = [...named, roles === undefined ? null : rolesText(roles), paraphraseHash ?? null]
    const params = [id, ...change, revision ?? null, keepRoles === undefined ? null : arrayOf(keepRoles)]
    const work = writes.write<[ChangedUser]>(text, params)
    const [row] = await (roles === undefined && paraphraseHash === undefined ? work : thenForget(work))
    return row?.[0] as ChangedUser
  }
  const isTrue = async (answer: Promise<unknown[][]>) => (await answer)[0]?.[0] === true
  return {
    async addUser({ id, name, roles, paraphraseHash }, now) {
      const text = `SELECT added, refusal FROM add_user($1, $2, $3, $4, $5, $6) WHERE ${inTime(7)}`
      const named = [name ?? null, name === undefined ? null : nameKey(name)]
      const params = [id ?? null, paraphraseHash, now, rolesText(roles), ...named]
      const [row] = await writes.write<[number | null, AddedUser | null]>(text, params)
      // The function says the same of the id that would follow the largest one.
      if (row?.[1] === 'id taken' && id === undefined) return 'no next id'
      return (row?.[0] ?? row?.[1]) as AddedUser
    },
    changeUser,
    setRoles: async (id, roles) => (await changeUser(id, { roles })) === 'changed',
    setParaphrase: async (id, paraphraseHash) => (await changeUser(id, { paraphraseHash })) === 'changed',
    changeOwnParaphrase: (id, from, to, kept) => {
      const text = `SELECT change_own_paraphrase($1, $2, $3, $4) WHERE ${inTime(5)}`
      return isTrue(thenForget(writes.write(text, [id, from, to, kept ?? null])))
    },
    async upgradeParaphrase(id, from, to) {
      const text = 'UPDATE users SET paraphrase_hash = $3 WHERE id = $1 AND paraphrase_hash = $2'
      await writes.run(text, [id, from, to])
    },
    async beginRemoval(id, keepRoles) {
      const text = `SELECT begin_removal($1, $2::text[]) WHERE ${inTime(3)}`
      const [row] = await writes.write<[BegunRemoval]>(text, [id, arrayOf(keepRoles)])
      return row?.[0] as BegunRemoval
    },
    async cancelRemoval(id) {
      await writes.run('UPDATE users SET removal_at = NULL WHERE id = $1', [id])
    },
    removeUser: (id) => isTrue(thenForget(writes.write(`SELECT remove_user($1) WHERE ${inTime(2)}`, [id]))),
  }
}
