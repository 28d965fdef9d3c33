import type { Request } from '../http/index.ts'
import type { MemberReads } from '../members/index.ts'
import { isAccount } from '../vocabulary/index.ts'
import type { Preferences } from './request.ts'
import type { ClassDependencies } from './types.ts'

type ReaderDependencies = Pick<ClassDependencies, 'store' | 'access' | 'cls'>

/**
 * Chooses where to read a page or a member for a request: at a standby, or at the primary (hosts.md, Reads on
 * PostgreSQL). Neither rights that follow links nor preconditions may rely on outdated data.
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
