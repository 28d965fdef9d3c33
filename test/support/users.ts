import { paraphraseHash, type TestService } from './service.ts'

/** Adds users with their roles, by id; all of them sign in with the paraphrase of the tests. */
export async function addUsers(
  { store }: Pick<TestService, 'store'>,
  roles: Readonly<Record<number, readonly string[]>>,
): Promise<void> {
  const hash = await paraphraseHash()
  for (const [id, held] of Object.entries(roles))
    await store.auth.addUser({ id: Number(id), paraphraseHash: hash, roles: held }, 0)
}
