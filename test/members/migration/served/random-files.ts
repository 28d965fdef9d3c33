import fc from 'fast-check'

/** API files at random, over few names, so that names come back in every role: new, removed, renamed, the former one. */

/** Names of properties that can become each other, by what they hold; and those of a part, which is embedded. */
const GROUPS = {
  text: ['s1', 's2', 's3'],
  texts: ['m1', 'm2'],
  link: ['l1', 'l2'],
  part: ['e1', 'e2'],
  parts: ['n1', 'n2'],
} as const
const PART_GROUPS = { text: ['p1', 'p2', 'p3'], link: ['k1', 'k2'] } as const
const CLASSES = ['Thing', 'Object'] as const

export type Kind = keyof typeof GROUPS

export interface Declared {
  readonly name: string
  readonly kind: Kind
  readonly was: string | undefined
}

export interface ApiFile {
  readonly className: string
  readonly was: string | undefined
  readonly properties: readonly Declared[]
  readonly part: readonly Declared[]
  /** Whether it has the class that links lead to. */
  readonly hasTarget: boolean
}

/** Some of the names, each with one of the others as its former name, or none. */
function declaredIn(kind: Kind, names: readonly string[]): fc.Arbitrary<Declared[]> {
  const choice = fc.record({ isThere: fc.boolean(), former: fc.nat({ max: names.length }) })
  return fc.tuple(...names.map(() => choice)).map((choices) => {
    const free = new Set(names.filter((_, index) => !choices[index]?.isThere))
    return names.flatMap((name, index): Declared[] => {
      const { isThere = false, former = 0 } = choices[index] ?? {}
      const was = names[former]
      if (!isThere) return []
      return [{ name, kind, was: was !== undefined && free.delete(was) ? was : undefined }]
    })
  })
}

const declaredOf = (groups: Readonly<Partial<Record<Kind, readonly string[]>>>): fc.Arbitrary<Declared[]> =>
  fc
    .tuple(...Object.entries(groups).map(([kind, names]) => declaredIn(kind as Kind, names)))
    .map((declared) => declared.flat())

const apiFile: fc.Arbitrary<ApiFile> = fc
  .record({
    className: fc.constantFrom(...CLASSES),
    isRenamed: fc.boolean(),
    properties: declaredOf(GROUPS),
    part: declaredOf(PART_GROUPS),
    isTargetThere: fc.boolean(),
  })
  .map(({ className, isRenamed, properties, part, isTargetThere }) => {
    const hasParts = properties.some(({ kind }) => kind.startsWith('part'))
    const links = [...properties, ...(hasParts ? part : [])].some(({ kind }) => kind === 'link')
    const was = isRenamed ? CLASSES.find((other) => other !== className) : undefined
    return { className, was, properties, part: hasParts ? part : [], hasTarget: links || isTargetThere }
  })

const all = (groups: Readonly<Partial<Record<Kind, readonly string[]>>>): Declared[] =>
  Object.entries(groups).flatMap(([kind, names]) =>
    names.map((name) => ({ name, kind: kind as Kind, was: undefined })),
  )

/** With everything that there can be: under it, nothing is hidden. */
export const wholeFile = (className: string): ApiFile => ({
  className,
  was: undefined,
  properties: all(GROUPS),
  part: all(PART_GROUPS),
  hasTarget: true,
})

/** A file, and what is written under it: numbers by which values are chosen. */
export interface Step {
  readonly file: ApiFile
  readonly writes: readonly number[]
}

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ file: apiFile, writes: fc.array(fc.nat({ max: 0x3fff_ffff }), { maxLength: 3 }) }),
  { minLength: 2, maxLength: 7 },
)

const TYPES: Readonly<Record<Kind, string>> = {
  text: 'type: string',
  texts: 'type: string, many: true',
  link: 'type: Other',
  part: 'type: Part',
  parts: 'type: Part, many: true',
}

/** As the deployer writes it. */
export function textOf({ className, was, properties, part, hasTarget }: ApiFile): string {
  const listed = (declared: readonly Declared[]) =>
    declared
      .map(({ name, kind, was: former }) => `${name}: { ${TYPES[kind]}${former ? `, was: ${former}` : ''} }`)
      .join(', ')
  const hasParts = properties.some(({ kind }) => kind.startsWith('part'))
  return `classes: { ${[
    `${className}: { collection: things, ${was ? `was: ${was}, ` : ''}properties: { ${listed(properties)} } }`,
    ...(hasParts ? [`Part: { collection: false, properties: { ${listed(part)} } }`] : []),
    ...(hasTarget ? ['Other: { properties: { name: string } }'] : []),
  ].join(', ')} }`
}
