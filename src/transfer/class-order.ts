import { type Class, type Model, storedClasses } from '../vocabulary/model.ts'

/** The classes that have members, each behind those that it links to, as far as links do not go in circles. */
export function inOrderOfLinks(model: Model): Class[] {
  const classes = new Map(storedClasses(model).map((cls) => [cls.name, cls]))
  const ordered = new Set<Class>()
  const begun = new Set<Class>()

  function place(cls: Class): void {
    if (begun.has(cls)) return
    begun.add(cls)
    for (const name of targetsOf(cls)) {
      const target = classes.get(name)
      if (target !== undefined) place(target)
    }
    ordered.add(cls)
  }

  for (const cls of classes.values()) place(cls)
  return [...ordered]
}

/** The names of the classes that it links to, from within embedded values too. */
function targetsOf({ properties }: Class): string[] {
  return properties.flatMap(({ range }) => {
    if (range.kind === 'link') return [range.className]
    return range.kind === 'embedded' ? targetsOf(range.cls) : []
  })
}
