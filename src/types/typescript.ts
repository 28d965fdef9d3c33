import { createParameters, isRepeatable } from '../api/query/parameters.ts'
import { type Class, embeddedNames, hasCollection, type Model, pathOf } from '../vocabulary/model.ts'
import { chooseNames, type Names } from './names.ts'
import { inputLines, memberLines, queryLines, type Variable, valueLines } from './properties.ts'
import { comment, key, oneLine } from './text.ts'

/** An API, as far as its types need it. */
export interface DescribedApi {
  readonly model: Model
  /** What can be asked of the collection of each class, by its name; nothing where nothing can be asked. */
  readonly questions: ReadonlyMap<string, readonly Variable[]>
  /** Whether the entry point has a collection or a single resource under its name. */
  readonly isEntered: (path: string) => boolean
  /** Whether members say what they are by the name of their class alone. */
  readonly saysNames: boolean
}

/** What would be served of an API file. */
export const describeModel = (model: Model): DescribedApi => ({
  model,
  questions: new Map(
    model.classes.filter(hasCollection).map((cls) => [
      cls.name,
      createParameters(cls).all.map((parameter) => ({
        name: parameter.name,
        isRepeatable: isRepeatable(parameter),
        isRequired: false,
      })),
    ]),
  ),
  isEntered: () => true,
  saysNames: true,
})

/** The types of an API as a TypeScript module: the type argument of `createClient`, and all that it is made of. */
export function writeTypes({ model, questions, isEntered, saysNames }: DescribedApi): string {
  const names = chooseNames(model)
  const sent = namesSent(model)
  const embedded = embeddedNames(model.classes)
  const declarations = model.classes.flatMap((cls) => {
    const { member, value, input, query } = names.of(cls.name)
    const asked = questionsOf(cls, questions)
    return [
      ...(pathOf(cls) !== undefined
        ? [declareInterface(member, aboutClass(cls), memberLines(cls, names, saysNames))]
        : []),
      ...(embedded.has(cls.name)
        ? [declareInterface(value, aboutClass(cls), valueLines(cls, names, saysNames))]
        : []),
      ...(sent.has(cls.name) ? [declareInterface(input, INPUT, inputLines(cls, names))] : []),
      ...(asked.length > 0 ? [declareInterface(query, QUERY, queryLines(cls, asked, names))] : []),
    ]
  })
  const resources = model.classes
    .map((cls) => ({ cls, path: pathOf(cls) ?? '' }))
    .filter(({ path }) => path !== '' && isEntered(path))
    .map(({ cls, path }) => `  ${key(path)}: ${resourceType(cls, questions, names)}`)
  const api = declareInterface(names.api, model.description, resources)
  const link = names.link === 'Link' ? 'Link' : `Link as ${names.link}`
  return `${[
    `// The types of ${oneLine(model.title)}, for hydrant/client. Written by "hydrant types": write them anew, not by hand.`,
    `import type { ${link} } from 'hydrant/client'`,
    ...[...declarations, api].map((lines) => `\n${lines.join('\n')}`),
  ].join('\n')}\n`
}

const INPUT = 'What a create takes.'
const QUERY = 'What the collection can be asked.'

/** Without a line it would take anything at all. */
const NOTHING = '  readonly [property: string]: never'

const declareInterface = (name: string, about: string, lines: readonly string[]): string[] => [
  ...comment(about),
  `export interface ${name} {`,
  ...(lines.length === 0 ? [NOTHING] : lines),
  '}',
]

const aboutClass = ({ name, title, description }: Class): string =>
  description !== '' ? description : title === name ? '' : title

/** Whose members can be created, and all that goes along as a part of them. */
function namesSent({ classes }: Model): ReadonlySet<string> {
  const sent = new Set<string>()
  const add = (cls: Class): void => {
    if (sent.has(cls.name)) return
    sent.add(cls.name)
    for (const { writable, range } of cls.properties)
      if (writable && range.kind === 'embedded') add(range.cls)
  }
  for (const cls of classes) if (pathOf(cls) !== undefined && cls.operations.has('create')) add(cls)
  return sent
}

const questionsOf = (cls: Class, questions: DescribedApi['questions']): readonly Variable[] =>
  hasCollection(cls) && cls.operations.has('list') ? (questions.get(cls.name) ?? []) : []

/** What the API file does not declare takes nothing: using it is an error of the compiler. */
function resourceType(cls: Class, questions: DescribedApi['questions'], names: Names): string {
  const { member, input, query } = names.of(cls.name)
  const parts = [`member: ${member}`, `input: ${cls.operations.has('create') ? input : 'never'}`]
  if (hasCollection(cls)) parts.push(`query: ${questionsOf(cls, questions).length > 0 ? query : 'never'}`)
  return `{ ${parts.join('; ')} }`
}
