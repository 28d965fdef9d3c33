import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { ROOT } from './markdown.ts'

/**
 * The commit of the last published version, which must run beside this one on one database (hosts.md, A new version of
 * Hydrant). Move it at each release, to the commit of the version that is then the last one; before that, remove from the
 * schemas what only the former one needs (`src/database/postgres/schema.ts`).
 */
export const PREVIOUS_COMMIT = '28a4fe6ef1d6c9632ee2556966ddc1e99331273b'

const CACHE = join(ROOT, 'node_modules', '.cache', 'previous-build')

let packed: Promise<string> | undefined

/** The command of the previous version: packed from its commit, once for each clone. */
export function previousBuild(): Promise<string> {
  packed ??= pack()
  return packed
}

async function pack(): Promise<string> {
  const place = join(CACHE, PREVIOUS_COMMIT)
  const command = join(place, 'dist', 'cli', 'main.js')
  if (existsSync(command)) return command
  const draft = `${place}-${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    await extract(draft)
    await compile(draft)
    // In one step, since another process may have the same in mind.
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(command)) throw error
  }
  return command
}

async function extract(folder: string): Promise<void> {
  const tar = join(folder, 'source.tar')
  const args = ['archive', `--output=${tar}`, PREVIOUS_COMMIT, 'src', 'tools', 'examples', 'package.json']
  try {
    await promisify(execFile)('git', args, { cwd: ROOT })
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr || error).trim()
    throw new Error(
      `The previous version cannot be packed from its commit ${PREVIOUS_COMMIT} (${said}). ` +
        'The tests need a clone with its history: git fetch --unshallow.',
      { cause: error },
    )
  }
  execFileSync('tar', ['-xf', tar, '-C', folder])
}

/**
 * As the build of that commit does, but without types and the console: the files without their types, then joined by its
 * own tools/bundle.ts. Packages are those of this clone.
 */
async function compile(folder: string): Promise<void> {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const files = globSync(['src/**/*.ts', 'tools/**/*.ts'], { cwd: folder })
  await Promise.all(files.map((file) => compileFile(folder, file)))
  const { bundle } = await import(pathToFileURL(join(folder, 'tools', 'bundle.js')).href)
  await bundle(join(folder, 'dist'))
}

async function compileFile(folder: string, file: string): Promise<void> {
  const { code } = await transform(await readFile(join(folder, file), 'utf8'), { loader: 'ts', ...AS_IS })
  const target = join(folder, file.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js'))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, code.replace(/((?:from|import|import\() ?"\.[^"\n]*)\.ts"/g, '$1.js"'))
}

/** An import without a use may be there for what it does. */
const AS_IS = { target: 'node24', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } } as const
