import type { Request } from '../http/index.ts'
import type { MemberReads } from '../members/index.ts'
import { isAccount } from '../vocabulary/index.ts'
import type { Preferences } from './request.ts'
import type { ClassDependencies } from './types.ts'

type ReaderDependencies = Pick<ClassDependencies, 'store' | 'access' | 'cls'>

/**
 * Where a page or a member is read for a request: at a standby, or at the primary (hosts.md, Reads on PostgreSQL). What a
 * user may see must not depend on links as they were a moment ago, nor a precondition on a version.
 */
export function createReaderFor({ store, access, cls }: ReaderDependencies) {
  const primary: MemberReads = {
    server: '',
    hasFailed: false,
    state: (className) => store.state(className),
    find: (className, id) => store.find(className, id),
    list: (className, selection) => store.list(className, selection),
  }
  const needsPrimary = isAccount(cls) || access.followsLinks
  return {
    primary,
    readerFor({ headers }: Request, preferences: Preferences): MemberReads {
      const isConditional = headers['if-none-match'] !== undefined || headers['if-match'] !== undefined
      if (needsPrimary || isConditional || preferences.primary) return primary
      return store.standby?.() ?? primary
    },
  }
}
