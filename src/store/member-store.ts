import type { Awaitable } from './awaitable.ts'
import type { Added, Changed, NewMember, Removed, StoredMember, WholeText, Written } from './member.ts'
import type { Page, Selection } from './selection.ts'

export interface MemberStore {
  /**
   * Names the present state of a class: what was computed under the same number is still exact, whatever process
   * writes. Undefined in a store that could not tell for less than reading anew.
   */
  state(className: string): number | undefined
  find(className: string, id: string): Awaitable<StoredMember | undefined>
  /** 503 for a selection that takes longer than the store allows; it never holds up other requests. */
  list(className: string, selection: Selection): Awaitable<Page>
  add(className: string, member: NewMember): Promise<Added>
  /** In one transaction, for bulk data; what is refused does not touch the others. */
  addAll(members: readonly { readonly className: string; readonly member: NewMember }[]): Promise<Added[]>
  /**
   * `expected`: versions that may be changed; undefined for any. `compute` is pure and may be called again when another
   * writer was faster; what it throws is thrown, and nothing is changed.
   */
  change(
    className: string,
    id: string,
    expected: readonly number[] | undefined,
    compute: (current: StoredMember & WholeText) => Written,
  ): Promise<Changed>
  /** `expected`: versions that may be removed; undefined for any. */
  remove(className: string, id: string, expected: readonly number[] | undefined): Promise<Removed>
}
