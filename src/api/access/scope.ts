import type { Filter } from '../../members/index.ts'
import { type AccessUser, NO_NUMBER } from './ties.ts'

/** The members that a right covers: all, none, those of one owner, or those that match a filter. */
export type Scope =
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'owner'; readonly owner: number }
  | { readonly kind: 'filter'; readonly filter: Filter }

/** The filters that select the members of a scope. */
export function filtersOf(scope: Scope): readonly Filter[] {
  switch (scope.kind) {
    case 'all':
      return []
    case 'none':
      return [{ test: 'owner', owner: NO_NUMBER }]
    case 'owner':
      return [{ test: 'owner', owner: scope.owner }]
    case 'filter':
      return [scope.filter]
  }
}

/** Distinguishes the scopes of a class, for users with the same roles. */
export const scopeKey = ({ kind }: Scope, user: AccessUser): string | number | undefined =>
  kind === 'all' || kind === 'none' ? kind : user?.number

/** A selection of the members of a scope. */
export function within<T extends { readonly filters: readonly Filter[] }>(
  selection: T,
  scope: Scope,
): T & { readonly owner?: number | undefined } {
  if (scope.kind === 'all') return selection
  if (scope.kind === 'filter') return { ...selection, filters: [...selection.filters, scope.filter] }
  return { ...selection, owner: scope.kind === 'owner' ? scope.owner : NO_NUMBER }
}
