import { BoundedMap } from '../../bounded-map.ts'
import { type Class, type Model, storedClasses, withPermittedProperties } from '../../vocabulary/index.ts'
import type { ExpandBody } from '../input/expansion-thread.ts'
import { createInput, type Input } from '../input/input.ts'
import { createMemberRepresentation } from '../output/member.ts'
import type { ClassDependencies, ResourceDependencies } from '../types.ts'
import { createPropertyViews, type PropertyView, type PropertyViews } from './property-views.ts'
import { STRANGER } from './ties.ts'

/** The roles of users; undefined for people who have not signed in (people.md, Anyone). */
export type UserRoleSet = readonly string[] | undefined

/** The parts of a class's resources that all users share, or all with the same rights to its properties. */
export type SharedClass = Pick<
  ClassDependencies,
  'cls' | 'input' | 'inputFor' | 'hooks' | 'representation' | 'wholeRepresentation'
>

/** The classes as users with these roles see them. */
export type ClassesFor = (permitted: Model, userRoles: UserRoleSet) => readonly SharedClass[]

/** Classes are shared by all sets of roles, except classes that some users may not see completely. */
export function createClassesFor(
  model: Model,
  { base, hooks }: ResourceDependencies,
  expandBody: ExpandBody,
): ClassesFor {
  const shared = storedClasses(model).map((cls): SharedClass => {
    const representation = createMemberRepresentation(cls, base)
    const input = createInput(cls, base, expandBody)
    return {
      ...{ cls, representation, wholeRepresentation: representation },
      ...{ input, inputFor: () => input },
      hooks: hooks?.of(cls, representation.within),
    }
  })
  return (permitted, userRoles) => {
    const byName = new Map(permitted.classes.map((cls) => [cls.name, cls]))
    return shared.map((one) => {
      const reverseLinks = byName.get(one.cls.name)?.reverseLinks ?? []
      const views = model.access && createPropertyViews(one.cls, userRoles)
      if (reverseLinks.length === one.cls.reverseLinks.length && views === undefined) return one
      const cls = { ...withPermittedProperties(one.cls, userRoles), reverseLinks }
      const stored = { cls: one.cls, hidden: views?.of(STRANGER).hidden ?? NONE }
      const representation = createMemberRepresentation(cls, base, stored)
      return { ...one, cls, representation, inputFor: createInputFor(cls, one, views) }
    })
  }

  /** As `input` for users who do not see or write everything, or who see other links from the other side. */
  function createInputFor(
    cls: Class,
    whole: SharedClass,
    views: PropertyViews | undefined,
  ): ClassDependencies['inputFor'] {
    if (views === undefined) {
      const input = createInput(cls, base, expandBody)
      return () => input
    }
    const prepared = new BoundedMap<PropertyView, Input>(MAX_INPUTS)
    return (relation) => {
      const view = views.of(relation)
      return prepared.getOrInsertComputed(view, () =>
        createInput(cls, base, expandBody, { ...view, stored: whole.cls }),
      )
    }
  }
}

/** How many views of a class have their bodies prepared. */
const MAX_INPUTS = 64

const NONE: ReadonlySet<string> = new Set()
