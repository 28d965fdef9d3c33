import {
  type Class,
  type Model,
  type Property,
  type RemovalRule,
  removalTargets,
  storedClasses,
} from '../../vocabulary/index.ts'

/** What the links of an API file say about the removal of their targets (model.md). */
export interface RemovalRules {
  /** Whether a removal from this class can take other members along, or change them. */
  affectsOthers(className: string): boolean
  /** `property`: as in `Link`. A link that the API file does not show refuses: it may be shown again. */
  ruleOf(fromClass: string, property: string, toClass: string): RemovalRule
}

export function createRemovalRules(model: Pick<Model, 'classes'>): RemovalRules {
  const classes = new Map(storedClasses(model).map((cls) => [cls.name, cls]))
  const targets = removalTargets(model)
  return {
    affectsOthers: (className) => targets.has(className),
    ruleOf(fromClass, property, toClass) {
      const cls = classes.get(fromClass)
      const link = cls && linkAt(cls, property)
      return link?.range.kind === 'link' && link.range.className === toClass ? link.onDelete : 'refuse'
    },
  }
}

/** The link that the API file shows at this path of properties. */
export function linkAt(cls: Class, path: string): Property | undefined {
  const [name, ...within] = path.split('/')
  const property = cls.properties.find((one) => one.name === name)
  if (property?.range.kind === 'embedded') return linkAt(property.range.cls, within.join('/'))
  return property?.range.kind === 'link' && within.length === 0 ? property : undefined
}
