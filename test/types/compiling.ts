import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { describeModel, writeTypes } from '../../src/types/index.ts'
import { firstStep } from '../../src/types/steps.ts'
import { ROOT } from '../support/markdown.ts'
import { run } from '../support/processes.ts'
import { modelOf, temporaryFolder } from '../support/service.ts'

const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

/** The types of an API file in the short form. */
export const typesOf = (...api: Parameters<typeof modelOf>): string =>
  writeTypes(describeModel(modelOf(...api)))

/** The oldest compiler for which the types are meant. */
const OLDEST_TSC = join(ROOT, 'tools/oldest-typescript/node_modules/typescript/bin/tsc')

export interface CompileError {
  readonly file: string
  readonly line: number
  readonly message: string
}

const CLIENT = [join(ROOT, 'packages/client/src/index.ts')]
const CLIENT_PATHS = { 'hydrant/client': CLIENT, 'hydrant-client': CLIENT }

/** What the real compiler finds in these files, with the strictest settings; `hydrant` is the sources. */
export async function compile(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): Promise<CompileError[]> {
  const folder = temporaryFolder(t)
  const compilerOptions = {
    ...{ paths: { ...CLIENT_PATHS, hydrant: [join(ROOT, 'src/library/index.ts')] } },
    ...{ typeRoots: [join(ROOT, 'node_modules/@types')], module: 'preserve', moduleDetection: 'force' },
    noUnusedLocals: true,
  }
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { status, stdout, stderr } = await run(process.execPath, [TSC, '--pretty', 'false'], { cwd: folder })
  const errors = errorsIn(stdout)
  // A compiler that did not get so far has said something else.
  if ((status === 0) !== (errors.length === 0)) throw new Error(`${status}: ${stdout}${stderr}`)
  return errors.filter(({ file }) => file in files)
}

const errorsIn = (stdout: string): CompileError[] =>
  [...stdout.matchAll(/^(\S+?)\((\d+),\d+\): error (.+)$/gm)].map(([, file = '', line, message = '']) => ({
    file,
    line: Number(line),
    message,
  }))

/** What the oldest compiler finds in these files, and how many types it had to instantiate. */
export async function compileWithOldest(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(t)
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: 'es2022', lib: ['esnext', 'dom', 'dom.iterable'], module: 'esnext' },
    ...{ moduleResolution: 'bundler', allowImportingTsExtensions: true, moduleDetection: 'force' },
    paths: CLIENT_PATHS,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const args = [OLDEST_TSC, '--pretty', 'false', '--extendedDiagnostics']
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder })
  const instantiations = Number(/^Instantiations: +(\d+)$/m.exec(stdout)?.[1])
  if (Number.isNaN(instantiations)) throw new Error(stdout + stderr)
  return { instantiations, errors: errorsIn(stdout).filter(({ file }) => file in files) }
}

/** The lines that end in this mark are those that must not compile, and no others. */
export const WRONG = '// wrong'

export const wrongLines = (text: string): number[] =>
  text.split('\n').flatMap((line, index) => (line.endsWith(WRONG) ? [index + 1] : []))

/** The types of a server that has never heard of paths and fields. */
export function plainTypesOf(api: string): string {
  const { model, variables, ...described } = describeModel(modelOf(api))
  const plain = model.classes.map((cls) => {
    const own = variables.get(cls.name) ?? []
    const isPlain = (name: string) => name !== 'fields' && firstStep(name, cls, model.classes) === undefined
    return [cls.name, own.filter(({ name }) => isPlain(name))] as const
  })
  return writeTypes({ ...described, model, variables: new Map(plain) })
}
