import type { Awaitable } from '../database/index.ts'
import { FIRST_MEMBER, type MemberStore, type StoredMember } from '../members/index.ts'
import { type Class, hasCollection } from '../vocabulary/index.ts'

/** A single resource may have the former name of its class as its id. */
export function findMember(
  store: Pick<MemberStore, 'find' | 'list'>,
  cls: Class,
  id: string,
): Awaitable<StoredMember | undefined> {
  return hasCollection(cls) ? store.find(cls.name, id) : findSingle(store, cls)
}

const findSingle = async (store: Pick<MemberStore, 'find' | 'list'>, { name }: Class) =>
  (await store.find(name, name)) ?? (await store.list(name, FIRST_MEMBER)).members[0]
