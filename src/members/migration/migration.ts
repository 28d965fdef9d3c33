import { type ProblemData, violationsOf } from '../../problem.ts'
import type { MigrationViolation, Move } from '../class-schema.ts'
import type { FileChange } from './change-kinds.ts'

// The migration of members to another API file (hypermedia.md, Changing the API file).

/** A change that an API file makes to members that were written under another one. */
export type MigrationChange =
  /** `unfilled`: properties of the file without any value; the hidden property may have been renamed to one of them. */
  | (Extract<Move, { readonly change: 'hidden' }> & ClassCount & { readonly unfilled: readonly string[] })
  | (Exclude<Move, { readonly change: 'hidden' }> & ClassCount)
  | (ClassCount & { readonly change: 'class renamed'; readonly from: string })
  /** The class is not in the file. `likely`: classes of the file that it may have been renamed to. */
  | (ClassCount & { readonly change: 'class hidden'; readonly likely: readonly string[] })
  /** No member has the current or the former name, which may be misspelt. */
  | (ClassCount & { readonly change: 'nothing renamed'; readonly from: string; readonly property?: string })

/** A constraint that stored members break: they can be read, but not written as they are. */
export interface BrokenConstraint extends ClassCount {
  /** Its property is a path within embedded values. */
  readonly violation: ProblemData
}

export interface ClassCount {
  readonly className: string
  /** How many members of the class. */
  readonly members: number
}

/** A stored member that the API file cannot serve. */
export interface IncompatibleMember {
  readonly className: string
  readonly id: string
  /** The path at which it is served today. */
  readonly address: string
  /** The path that it would have under the API file; undefined if that is the same. */
  readonly newAddress?: string
  readonly violations: readonly MigrationViolation[]
}

/** Problems of a migration, apart from the values of members (members/problems.ts). */
export interface MigrationProblems {
  /** The class would be a single resource. */
  SeveralMembers: { readonly total: number; readonly formerName: string; readonly name: string }
  NoSuchTarget: { readonly id: string; readonly className: string }
  /** `value`: as JSON text; undefined if the member has it under its former name. */
  DuplicateValue: { readonly address: string; readonly value: string | undefined }
  /** At the first of the properties, which are unique together. */
  DuplicateValues: {
    readonly address: string
    readonly properties: readonly string[]
    readonly values: readonly (string | undefined)[]
  }
  BothNamesUsed: { readonly name: string; readonly was: string }
}

export const migrationViolation = violationsOf<MigrationProblems>()

/** How many incompatible members are reported; counting the rest would mean reading all members. */
export const MAX_REPORTED = 10

/** How a store that is opened migrates members. */
export interface MigrationOptions {
  /** Called before the members of a class are migrated: the API file has changed, or they were copied. */
  readonly onMigrate?: (className: string, total: number) => void
  /** Called as the members of a class are migrated, with how many are done. */
  readonly onProgress?: (className: string, done: number, total: number) => void
  /** For `default: now`; the host's clock where it is absent. */
  readonly now?: () => number
  /** Called with the changes of the migration; if there are hidden classes, at every opening. */
  readonly onMigrated?: (changes: readonly MigrationChange[]) => void
  /**
   * Which classes may be migrated, apart from copied ones. `empty`: classes without members; `none`: no class, so that
   * members can only be read. If others would have to be migrated, NotMigratedError is thrown.
   */
  readonly migrate?: 'all' | 'empty' | 'none'
  /** Whether to refuse an API file if hosts with the former one could not go on serving (`IncompatibleFile`). */
  readonly isCompatibleOnly?: boolean
}

/** The result of a migration, or of its dry run. */
export interface Migration {
  /** The first ten; if there are any, the other lists are empty, and nothing was changed. */
  readonly incompatible: readonly IncompatibleMember[]
  readonly changes: readonly MigrationChange[]
  /** Classes that get new tables: a process that serves the previous file can no longer find them. */
  readonly migrated: readonly ClassCount[]
  /** Classes that hosts with the former and with this file serve side by side; their members are converted later. */
  readonly joined: readonly ClassCount[]
  /** Only in a dry run: all that the API file changes, with what it means for the hosts. */
  readonly kinds: readonly FileChange[]
  /** Only in a dry run: the classes whose members are being converted to the last API file. */
  readonly converting: readonly ConvertingClass[]
  /** Only in a dry run, since it means reading every member. */
  readonly broken: readonly BrokenConstraint[]
}

export const NOTHING_CHANGED: Migration = {
  ...{ incompatible: [], changes: [], migrated: [], joined: [], kinds: [], converting: [], broken: [] },
}

export interface ConvertingClass {
  readonly className: string
  readonly percent: number
}

/** Thrown when a store is opened; nothing was changed. */
export class IncompatibleMembersError extends Error {
  /** The first ten. */
  readonly incompatible: readonly IncompatibleMember[]

  constructor(incompatible: readonly IncompatibleMember[]) {
    super('The database has members that are incompatible with this API file.')
    this.name = 'IncompatibleMembersError'
    this.incompatible = incompatible
  }
}

/** Thrown when a store is opened that must not migrate members; nothing was changed. */
export class NotMigratedError extends Error {
  /** Classes whose members are stored under another API file, by their current names. */
  readonly classNames: readonly string[]

  constructor(classNames: readonly string[]) {
    super(`The members of ${classNames.join(', ')} are stored under another API file.`)
    this.name = 'NotMigratedError'
    this.classNames = classNames
  }
}
