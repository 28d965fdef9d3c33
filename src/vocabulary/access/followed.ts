import type { FollowedLink } from '../keys.ts'
import { type Class, isAccount, type Model, RULED_OPERATIONS, storedClasses } from '../model.ts'
import { NOBODY, whoMay } from './access.ts'
import { accountSteps } from './account-paths.ts'

/** The operations on members that exist already. */
const FOLLOWING = RULED_OPERATIONS.filter((operation) => operation !== 'create')

/** The paths in the rules for the members of a class (people.md, Rules that follow a link). */
export function followedPaths({ access }: Pick<Model, 'access'>, cls: Class): readonly string[] {
  const grantees = [
    ...FOLLOWING.map((operation) => whoMay(access, cls.name, operation)),
    ...(cls.customOperations ?? []).map((one) => one.grantees),
    ...cls.properties.flatMap(({ view = NOBODY, write = NOBODY }) => [view, write]),
  ]
  return [...new Set(grantees.flatMap(({ paths }) => paths))]
}

/** Whether a path leads through another class, whose changes may then take members into sight, or out of it. */
export const hasLongPaths = (model: Pick<Model, 'access' | 'classes'>): boolean =>
  model.classes.some((cls) => followedPaths(model, cls).some((path) => path.includes('.')))

/** The links of each class that some path follows, by the name of the class: as its first step, or as its second. */
export function followedLinks(model: Model): ReadonlyMap<string, readonly FollowedLink[]> {
  const found = new Map<string, FollowedLink[]>()
  for (const cls of storedClasses(model))
    for (const path of followedPaths(model, cls)) {
      let { name } = cls
      for (const { property, className } of accountSteps(model.classes, cls, path) ?? []) {
        const links = found.get(name) ?? []
        found.set(name, links)
        if (!links.some((one) => one.property === property))
          links.push({ property, className, isToAccounts: isAccount({ name: className }) })
        name = className
      }
    }
  return found
}
