import type {
  Compute,
  ConstraintFailure,
  Linked,
  MemberContent,
  StoredMember,
  WriteStore,
} from '../members/index.ts'
import type { Problem } from '../problem.ts'
import type { Class, Operation } from '../vocabulary/index.ts'
import { type Relation, STRANGER } from './access/ties.ts'
import { add, addAgain } from './creation.ts'
import { findMember } from './find-member.ts'
import type { RestoredEntry } from './history/remembered.ts'
import { restoredContent } from './history/restored.ts'
import { withLookups } from './lookups.ts'
import { apiProblem } from './problems/index.ts'
import { type HookedStore, withHooks } from './program/hooked-store.ts'
import { expectedVersions, preconditionFailed, requireIfMatch, requirePreconditions } from './request.ts'
import type { ClassDependencies, Outcome, Write, WriteOperation } from './types.ts'
import { refusedByStore, stillLinked, withStoreViolations } from './write-errors.ts'

/** The differences between a member of a collection and a single resource. */
export interface MemberKind {
  /** The operation of a method that creates or replaces; undefined if it depends on whether the member exists. */
  operationFor(method: string, isNew: boolean): Operation | undefined
  /** Whether the API file has the operation, with this method. */
  has(operation: 'create' | 'replace', method: string): boolean
  /** The id for a new member; throws if none can be created. */
  idOfNew(write: Write): string
  missing(id: string): Problem
}

export type RestoreMember = (write: Write, entry: RestoredEntry) => Promise<Outcome>

/** Replaces, updates and removes a member, independent of HTTP. */
export class MemberWrites {
  readonly #dependencies: ClassDependencies
  readonly #kind: MemberKind

  constructor(dependencies: ClassDependencies, kind: MemberKind) {
    this.#dependencies = dependencies
    this.#kind = kind
  }

  /** Creates the member if it does not exist. */
  readonly replace: WriteOperation = {
    body: 'member',
    requireRight: (method, isNew) => {
      const { access } = this.#dependencies
      const operation = this.#kind.operationFor(method, isNew)
      if (operation !== undefined && access.rights[operation] === 'none') throw access.refusal(operation)
    },
    carryOut: (write) => this.#replace(write),
  }

  readonly update: WriteOperation = {
    body: 'patch',
    carryOut: async (write) => {
      const { inputFor, now } = this.#dependencies
      const found = await this.#findFor('update', write)
      if (found === undefined) throw this.#kind.missing(write.id)
      const patch = await write.body()
      return this.#change('update', found.id, write, (current, relation) =>
        inputFor(relation).update(patch, current, now(), writerOf(write)),
      )
    },
  }

  readonly remove: WriteOperation = {
    body: undefined,
    carryOut: async (write) => {
      const { cls, access, removals } = this.#dependencies
      const { principal, preconditions, transaction } = write
      const asked = await this.#findFor('delete', write)
      if (asked === undefined) throw this.#kind.missing(write.id)
      await write.body()
      const scope = access.scopeTo('delete', principal)
      // While the body arrived, links may have been changed to other accounts.
      const found = scope.kind === 'filter' ? await this.#findFor('delete', write) : asked
      if (found === undefined) throw this.#kind.missing(write.id)
      const owner = scope.kind === 'owner' ? scope.owner : undefined
      // A right that a link gives is valid for this version only.
      const expected = scope.kind === 'filter' ? [found.version] : expectedVersions(preconditions)
      const target = this.#storeFor('delete', write)
      const explain = (linked: Linked) => stillLinked(linked, this.#dependencies, principal)
      const takesOthers = removals.affectsOthers(cls.name)
      // If others are taken along, a link that was added since does not prevent the removal: it is planned again.
      const explainLater = takesOthers ? undefined : explain
      const remove = () => target.remove(cls.name, found.id, expected, owner, undefined, explainLater)
      if (takesOthers && transaction === undefined && (await isLinked(write.store, cls, found)))
        return removals.inTransaction(write, this.#dependencies, this.remove.carryOut)
      const removed =
        takesOthers && transaction !== undefined
          ? await removals.withOthers(found.id, { ...write, transaction }, this.#dependencies, remove)
          : await remove()
      if (removed.outcome === 'removed') return removed
      if (removed.outcome === 'stale' && scope.kind === 'filter' && preconditions.match === undefined)
        return this.remove.carryOut({ ...write, body: () => ({}) })
      if (removed.outcome !== 'linked') throw this.#tooLate(removed.outcome, write)
      // A link may have been added since none was found.
      if (takesOthers) return removals.inTransaction(write, this.#dependencies, this.remove.carryOut)
      throw await explain(removed)
    },
  }

  /** Restores the member from an entry of its history: replaces the existing one, or adds it again. */
  readonly restore: RestoreMember = async (write, entry) => {
    const { cls, access, requireIfMatch: isRequired } = this.#dependencies
    const { store, id, preconditions } = write
    const stored = await findMember(store, cls, id)
    requirePreconditions(preconditions, stored?.version)
    await write.body()
    if (stored === undefined) {
      if (!cls.operations.has('create'))
        throw apiProblem('NotCreatable', { collection: cls.collection ?? '' })
      // Another write has removed it since its history was read.
      if (entry.member.latest.is === 'there') throw this.#tooLate('missing', write)
      const member = await addAgain(this.#dependencies, write, entry, entry.member.latest.entry)
      return member === undefined ? this.restore(write, entry) : { outcome: 'created', member }
    }
    requireIfMatch(preconditions, isRequired)
    if (!cls.operations.has('replace')) throw apiProblem('NotReplaceable', { name: cls.name })
    if (access.rights.replace === 'none') throw access.refusal('replace')
    return this.#change('replace', stored.id, write, (current, relation) =>
      restoredContent(this.#dependencies, write, entry, { kept: current, relation }),
    )
  }

  async #replace(write: Write): Promise<Outcome> {
    const { inputFor, now, representation } = this.#dependencies
    const { address } = representation
    const { id, preconditions } = write
    const found = await this.#findFor('replace', write)
    if (found !== undefined) this.#requireReplaceable(write)
    const newId = found === undefined ? this.#kind.idOfNew(write) : undefined
    const sent = await inputFor(STRANGER).toOwnTerms(await write.body(), address(id), write.principal)
    if (newId !== undefined) {
      const member = await add(this.#dependencies, write, sent, newId, address(newId))
      if (member !== undefined) return { outcome: 'created', member }
      if (preconditions.noneMatch !== undefined) throw preconditionFailed('alreadyThere')
      // Another write has created it in the meantime: this one becomes a replacement.
      requireIfMatch(preconditions, this.#dependencies.requireIfMatch)
      this.#requireReplaceable(write)
    }
    return this.#change('replace', found?.id ?? newId ?? id, write, (current, relation) =>
      inputFor(relation).replace(sent, current, now(), writerOf(write)),
    )
  }

  /** The stored member, after rights and preconditions are checked. */
  async #findFor(operation: Operation, write: Write): Promise<StoredMember | undefined> {
    const { cls, access } = this.#dependencies
    const { store, id, principal, preconditions } = write
    const stored = await findMember(store, cls, id)
    const relation = stored && (await access.relationOf(stored, principal, store))
    const found = relation && access.mayReadBy(relation) ? stored : undefined
    const isCreation = operation === 'replace' && preconditions.noneMatch === 'any'
    if (relation === undefined || found === undefined) {
      // 404 if nothing can be created either, whatever the preconditions (access.md, On the wire; RFC 9110 §13.2.1).
      if (operation !== 'replace') return undefined
      this.#kind.idOfNew(write)
    } else if (!isCreation) access.requireRight(operation, relation)
    requirePreconditions(preconditions, found?.version)
    // The fact that an id is taken is not secret (access.md, On the wire).
    if (isCreation && stored !== undefined) throw preconditionFailed('alreadyThere')
    if (found !== undefined) requireIfMatch(preconditions, this.#dependencies.requireIfMatch)
    return found
  }

  /** `compute`: by a user with this relation to the member. */
  async #change(
    operation: Operation,
    id: string,
    write: Write,
    compute: (current: Parameters<Compute>[0], relation: Relation) => MemberContent,
  ): Promise<Outcome> {
    const { cls, access } = this.#dependencies
    const { store, principal, preconditions } = write
    const target = this.#storeFor(operation, write)
    let hidden: ReadonlySet<string> | undefined
    const explain = (failure: ConstraintFailure) => refusedByStore(failure, hidden)
    const changed = await withLookups((lookups) => {
      const computeAs: Compute = (current) => {
        // The id may belong to another member by now, and links may lead to other accounts.
        const relation = access.relationNow(current, principal, { lookups, store })
        this.#requirePermitted(operation, relation, write)
        hidden = access.views?.of(relation).hidden
        return access.limitLinks(compute(current, relation), principal, { lookups, store })
      }
      return target.change(cls.name, id, expectedVersions(preconditions), computeAs, explain)
    }).catch(async (error) => {
      throw await withStoreViolations(error, this.#dependencies, { ...write, id }, hidden)
    })
    if (changed.outcome === 'changed') return changed
    if (changed.outcome === 'refused') throw explain(changed)
    // Another user may have created the member again in the meantime: without the right to read, it does not exist.
    const latest = access.rights.read === 'any' ? undefined : await findMember(store, cls, id)
    const isHidden = latest !== undefined && !(await access.may('read', latest, principal, store))
    throw this.#tooLate(isHidden ? 'missing' : changed.outcome, write)
  }

  /** Throws if the member may be created but not replaced. */
  #requireReplaceable({ method }: Write): void {
    const { cls, access } = this.#dependencies
    if (!this.#kind.has('replace', method)) throw apiProblem('NotReplaceable', { name: cls.name })
    if (access.rights.replace === 'none') throw access.refusal('replace')
  }

  #storeFor(operation: Operation, write: Write): HookedStore {
    const { access } = this.#dependencies
    return withHooks(this.#dependencies, operation, write, async (current) => {
      const relation = await access.relationOf(current, write.principal, write.store)
      this.#requirePermitted(operation, relation, write)
    })
  }

  #requirePermitted(operation: Operation, relation: Relation, write: Write): void {
    const { access } = this.#dependencies
    if (!access.mayReadBy(relation)) throw this.#tooLate('missing', write)
    access.requireRight(operation, relation)
  }

  /** Another write has changed or removed the member in the meantime. */
  #tooLate(outcome: 'stale' | 'missing', { id, preconditions }: Write): Problem {
    if (outcome === 'stale') return preconditionFailed('changed')
    return preconditions.match === undefined ? this.#kind.missing(id) : preconditionFailed('nothingThere')
  }
}

const isLinked = async (store: WriteStore, { name }: Class, { id }: StoredMember): Promise<boolean> =>
  (await store.linksTo(name, [id], 1)).links.length > 0

const writerOf = ({ principal, references }: Write) => ({ writer: principal, references })
