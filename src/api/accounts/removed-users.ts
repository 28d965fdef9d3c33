import {
  addressOf,
  type MemberContent,
  type MemberStore,
  readText,
  type WholeText,
  withoutHiddenLinks,
  withoutLinks,
  writeMember,
} from '../../members/index.ts'
import { Problem } from '../../problem.ts'
import {
  ACCOUNT,
  type Class,
  isAccount,
  type Model,
  type RemovalRule,
  storedClasses,
} from '../../vocabulary/index.ts'
import { withAlways } from '../input/validate.ts'
import { readProblem } from '../problems/index.ts'
import { createRemovalRules } from '../removal/rules.ts'

interface RemovedUsersDependencies {
  readonly model: Model
  readonly base: string
  readonly members: MemberStore
  readonly now: () => number
  /** Removes the account, with the effects that links declare; throws if they refuse. */
  readonly remove: (id: string) => Promise<void>
  /** Called with the addresses of members that had a link to the account, which has been taken out by force. */
  readonly onUnlinked: (id: string, addresses: readonly string[]) => void
  /** Called with the classes, which the API file no longer has, whose members still link to the account. */
  readonly onKept: (id: string, classNames: readonly string[]) => void
}

/**
 * Removes the accounts of removed users. There is no client to be refused: a link that would refuse is taken out, and
 * its member may then lack a required value, as after a migration. An account stays only while members of a class that
 * the API file no longer has link to it: once that class is back, or purged, the account goes. Until then nothing else
 * names it.
 */
export function createRemoveGone(dependencies: RemovedUsersDependencies): (id: string) => Promise<void> {
  const { members, remove, onUnlinked, onKept } = dependencies
  const unlink = createUnlink(dependencies)
  const clearName = createClearName(dependencies)

  async function isRemoved(id: string): Promise<boolean> {
    try {
      await remove(id)
      return true
    } catch (error) {
      if (!(error instanceof Problem) || !isRefusal(error)) throw error
      return false
    }
  }

  return async (id) => {
    if (await isRemoved(id)) return
    const refusing = await unlink(id, (rule) => rule === 'refuse')
    if (refusing.changed.length > 0) onUnlinked(id, refusing.changed)
    const isKept = refusing.unknown.length > 0
    if (!isKept && (await isRemoved(id))) return
    // A hook has refused, there are too many for one transaction, or the next user with this id must not be named by them.
    const rest = await unlink(id, () => true)
    if (rest.changed.length > 0) onUnlinked(id, rest.changed)
    if (isKept) {
      await clearName(id)
      return onKept(id, refusing.unknown)
    }
    // A member that has linked to it meanwhile is found by the next comparison.
    await members.remove(ACCOUNT, id, undefined)
  }
}

/** Another user may have the name by now. */
function createClearName({ model, members }: RemovedUsersDependencies): (id: string) => Promise<void> {
  const cls = model.classes.find(isAccount)
  return async (id) => {
    if (cls === undefined) return
    await members.change(ACCOUNT, id, undefined, ({ body }) => {
      const { name, ...rest } = readText(body)
      return writeMember(cls, rest, '')
    })
  }
}

/** A database that cannot be reached refuses nothing: it is asked again. */
const isRefusal = (problem: Problem): boolean =>
  readProblem(problem).status < 500 || problem.code === 'RemovalTooLong'

const PAGE = 500

type Goes = (rule: RemovalRule) => boolean

/** Takes the links to an account out of all members; each is a write like any other. */
function createUnlink({ model, base, members, now }: RemovedUsersDependencies) {
  const classes = new Map(storedClasses(model).map((cls) => [cls.name, cls]))
  const { ruleOf } = createRemovalRules(model)

  return async (id: string, goes: Goes) => {
    const changed = new Set<string>()
    const unknown = new Set<string>()
    for (let page = await members.linksTo(ACCOUNT, [id], PAGE); ; ) {
      for (const { fromClass, fromId, property } of page.links) {
        const cls = classes.get(fromClass)
        if (cls === undefined) unknown.add(fromClass)
        else if (goes(ruleOf(fromClass, property, ACCOUNT))) {
          await members.change(fromClass, fromId, undefined, (current) => without(cls, current, id, goes))
          changed.add(addressOf(cls, base)(fromId))
        }
      }
      if (page.next === undefined) return { changed: [...changed], unknown: [...unknown] }
      page = await members.linksTo(ACCOUNT, [id], PAGE, page.next)
    }
  }

  function without(cls: Class, { body, hidden }: WholeText, id: string, goes: Goes): MemberContent {
    const isGone = (target: { readonly className: string; readonly id: string }) =>
      target.className === ACCOUNT && target.id === id
    const values = withoutLinks(cls, readText(body), isGone, goes)
    const filled = withAlways(cls, values, { now: now(), userId: undefined })
    return writeMember(cls, filled, withoutHiddenLinks(hidden, isGone))
  }
}
