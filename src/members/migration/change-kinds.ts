import type { DescribedAspect } from '../class-schema.ts'

// The kinds of changes that an API file can have, and whether hosts with the former one go on serving (hosts.md, A changed API
// file).

/** Hosts with the former and with the new file serve side by side. */
export type CompatibleKind =
  | 'class added'
  | 'class removed'
  | 'added'
  /** It has a default, which is filled in in the background. */
  | 'added with default'
  /** It has no default: what is written by hosts with the former file lacks it. */
  | 'added as required'
  | 'removed'
  | 'required'
  | 'optional'
  | 'filled default'
  | 'filterable'
  | 'not filterable'
  | 'searched'
  | 'not unique'
  | 'history on'
  | 'history off'
  | 'history'
  | Exclude<DescribedAspect, 'required' | 'history'>

export interface CompatibleChange {
  readonly className: string
  /** A path within embedded values is `Address.city`; undefined for the class itself. */
  readonly property?: string
  readonly kind: CompatibleKind
  readonly isCompatible: true
}

export const compatible = (className: string, kind: CompatibleKind, property?: string): CompatibleChange => ({
  ...{ className, kind, isCompatible: true },
  ...(property !== undefined && { property }),
})

/** Members are migrated in one transaction, and hosts with the former file cannot serve the class any more. */
export type IncompatibleKind =
  | 'type'
  | 'renamed'
  | 'unique'
  | 'class renamed'
  | 'embedded'
  | 'single'
  /** Members are stored in as many forms as can be told apart. */
  | 'forms'
  /** An earlier version of Hydrant has stored the members. */
  | 'earlier version'

export interface IncompatibleFileChange {
  readonly className: string
  /** As of a compatible change. */
  readonly property?: string
  readonly kind: IncompatibleKind
  readonly isCompatible: false
  /** The former type, or the former name. */
  readonly from?: string
  /** The type that it has now. */
  readonly to?: string
}

/** How an API file differs from the one that the database was last opened with. */
export type FileChange = CompatibleChange | IncompatibleFileChange

export const incompatible = (className: string, kind: IncompatibleKind): IncompatibleFileChange => ({
  ...{ className, kind, isCompatible: false },
})
