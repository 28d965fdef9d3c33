import { includePaths, isRepeatable, templateParameters } from '../api/index.ts'
import {
  type Class,
  type CustomOperation,
  embeddedNames,
  hasCollection,
  type Model,
  pathOf,
  permittedOperations,
} from '../vocabulary/index.ts'
import {
  about,
  inputLines,
  memberLines,
  queryLines,
  type TemplateVariable,
  valueLines,
} from './properties.ts'
import { firstStep, hasReverseLinks, namesOnPaths, stepsLine, variablesOnPaths } from './steps.ts'
import { chooseNames, comment, key, oneLine, quoted } from './text.ts'

/** The parts of an API that its types need. */
export interface DescribedApi {
  readonly model: Model
  /** The query variables of each collection, by the name of its class. */
  readonly variables: ReadonlyMap<string, readonly TemplateVariable[]>
  /** Whether the entry point links to a collection or a single resource of this name. */
  readonly isLinked: (path: string) => boolean
  /** Whether the `@type` of members is the name of their class. */
  readonly hasClassNames: boolean
}

/** The API that a model describes. */
export const describeModel = (model: Model): DescribedApi => ({
  model,
  variables: new Map(
    model.classes
      .filter(hasCollection)
      .map((cls) => [
        cls.name,
        templateParameters(cls, model).map((one) => ({ name: one.name, isRepeatable: isRepeatable(one) })),
      ]),
  ),
  isLinked: () => true,
  hasClassNames: true,
})

/** The types of an API as a TypeScript module: the type argument of `createClient`, and all of its parts. */
export function writeTypes({ model, variables: all, isLinked, hasClassNames }: DescribedApi): string {
  const names = chooseNames(model)
  const variables = listedVariables(model, all)
  const operations = model.classes.flatMap(permittedOperations)
  const sent = namesSent(model, operations)
  const used = new Set(operations.flatMap(({ expects, returns }) => [expects, returns]))
  const embedded = embeddedNames(model.classes)
  const mayLack = model.access !== undefined
  const classes = new Map(model.classes.map((cls) => [cls.name, cls]))
  const onPaths = hasPaths(variables) ? namesOnPaths(model.classes) : undefined
  const lines: string[] = []
  const declareInterface = (name: string, text: string, properties: readonly string[]): void => {
    // An interface without properties would accept anything.
    const declared = properties.length === 0 ? ['  readonly [property: string]: never'] : properties
    lines.push('', ...comment(text), `export interface ${name} {`, ...declared, '}')
  }
  const entries: string[] = []
  for (const cls of model.classes) {
    const { name } = cls
    const { member, value, input, query } = names.of(name)
    const path = pathOf(cls)
    const asked = (hasCollection(cls) && cls.operations.has('list') && variables.get(name)) || []
    if (path !== undefined)
      declareInterface(member, about(cls), memberLines(cls, names, { hasClassNames, mayLack }))
    if (embedded.has(name) || (path === undefined && used.has(name)))
      declareInterface(value, about(cls), valueLines(cls, names, hasClassNames))
    if (sent.has(name)) declareInterface(input, 'What a create takes.', inputLines(cls, names))
    const listed = variables.get(name) ?? variablesOnPaths(name, model.classes, variables)
    if (asked.length > 0 || onPaths?.has(name)) {
      const own = onPaths ? listed.filter((one) => !firstStep(one.name, cls, model.classes)) : listed
      const asking = queryLines(cls, own, names, { classes, included: includePaths(cls, classes) })
      const text = asked.length > 0 ? 'What the collection can be asked.' : 'What a path through it can ask.'
      declareInterface(query, text, onPaths ? [stepsLine(cls, names), ...asking] : asking)
    }
    if (path === undefined || !isLinked(path)) continue
    // A type that the API file does not declare is `never`: using it does not compile.
    const parts = [
      `class: ${quoted(name)}`,
      `member: ${member}`,
      `input: ${cls.operations.has('create') ? input : 'never'}`,
    ]
    if (hasCollection(cls)) parts.push(`query: ${asked.length > 0 ? query : 'never'}`)
    entries.push(`  ${key(path)}: { ${parts.join('; ')} }`)
  }
  declareInterface(names.api, model.description, entries)
  const imported = [
    ...(operations.length === 0 ? [] : [['Call', names.call]]),
    ...[['Link', names.link]],
    ...(model.classes.some(hasReverseLinks) ? [['Reverse', names.reverse]] : []),
  ].map(([name, as]) => (name === as ? name : `${name} as ${as}`))
  return `${[
    `// The types of ${oneLine(model.title)}, for hydrant and hydrant/client. Written by "hydrant types": run it again instead of editing this file.`,
    `import type { ${imported.join(', ')} } from 'hydrant/client'`,
    ...lines,
  ].join('\n')}\n`
}

/** The variables of the collections that have a `list` operation. */
const listedVariables = ({ classes }: Model, variables: DescribedApi['variables']) =>
  new Map(
    classes.flatMap((cls) => {
      const own = hasCollection(cls) && cls.operations.has('list') ? variables.get(cls.name) : undefined
      return own === undefined ? [] : [[cls.name, own]]
    }),
  )

/** A collection that can be asked for `fields` understands paths (asking.md); other servers may not. */
const hasPaths = (variables: DescribedApi['variables']): boolean =>
  [...variables.values()].flat().some(({ name }) => name === 'fields')

/** The classes whose members can be created or sent to operations, with those that they embed. */
function namesSent({ classes }: Model, operations: readonly CustomOperation[]): ReadonlySet<string> {
  const sent = new Set<string>()
  const add = (cls: Class): void => {
    if (sent.has(cls.name)) return
    sent.add(cls.name)
    for (const { writable, range } of cls.properties)
      if (writable && range.kind === 'embedded') add(range.cls)
  }
  const expected = new Set(operations.map(({ expects }) => expects))
  for (const cls of classes)
    if (expected.has(cls.name) || (pathOf(cls) !== undefined && cls.operations.has('create'))) add(cls)
  return sent
}
