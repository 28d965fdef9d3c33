import assert from 'node:assert/strict'
import { writeMember } from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import { ACCOUNT, type Class, type Model, withAccounts } from '../../src/vocabulary/index.ts'

/** A model whose members link to accounts. */
export const accountModel = (model: Model): Model => withAccounts(model)

const accountsOf = ({ classes }: Model): Class => classes.find(({ name }) => name === ACCOUNT) as Class

/** The account of a user, whom its number stands for: it is the owner. */
export async function addAccount(
  { members }: Pick<Store, 'members'>,
  model: Model,
  userId: number,
  number: number,
): Promise<void> {
  const written = writeMember(accountsOf(model), { userId, name: `user ${userId}` }, '')
  const added = await members.add(ACCOUNT, { id: String(userId), ...written, owner: number })
  assert.equal(added.outcome, 'added')
}
