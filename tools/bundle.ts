import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

/** Files that are loaded by their own address: as a package or a command, or on a thread or in a process of its own. */
const ENTRIES = [
  'api/input/expansion-thread',
  'api/output/rdf/conversion',
  'auth/middleware',
  'auth/store/sqlite/writes',
  'cli/program',
  'cli/workers/worker',
  'database/sqlite/write-thread',
  'library/index',
  'members/sqlite/commands',
  'members/sqlite/changes/follower-commands',
  'members/sqlite/scan-thread',
]
/** The start of the command, which an old Node.js must be able to read; and what only passes another package on. */
const UNBUNDLED = ['cli/main', 'cli/v8', 'client', 'runtime']

/**
 * Joins the compiled files of dist/ into one, in which each part runs when it is first needed: Node.js takes a third of
 * the time of `hydrant check` to find and read hundreds of them. `yaml` is joined too, since it alone is 70 files; all
 * other packages stay outside. Each entry becomes a file that takes its exports from the joined one, so that there is
 * one of each class, however it is reached.
 */
export async function bundle(dist: string): Promise<void> {
  const isKept = (file: string) => UNBUNDLED.includes(file.replace(/\.js$/, ''))
  const compiled = globSync('**/*.js', { cwd: dist, exclude: ['console/**'] }).filter((file) => !isKept(file))
  const exported = await findExports(dist)
  const joined = await joinFiles(dist)
  for (const file of compiled)
    for (const one of [file, `${file}.map`]) rmSync(join(dist, one), { force: true })
  await build({
    entryPoints: [join(import.meta.dirname, 'bundle-loader.ts')],
    outfile: join(dist, 'bundle/load.js'),
    format: 'esm',
    platform: 'node',
    target: 'node24',
    define: { BUNDLE: JSON.stringify(joined) },
    logLevel: 'warning',
  })
  for (const [entry, names] of exported) writeEntry(dist, entry, names)
  // Its licence asks for the notice in every copy.
  copyFileSync(join(dist, '..', 'node_modules/yaml/LICENSE'), join(dist, 'bundle/yaml-LICENSE'))
}

function writeEntry(dist: string, entry: string, names: readonly string[]): void {
  const file = join(dist, `${entry}.js`)
  const loader = relative(dirname(file), join(dist, 'bundle/load.js')).split(sep).join('/')
  const taken = names.length === 0 ? '' : `export const { ${names.join(', ')} } = `
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `import { load } from '${loader}'\n${taken}load('${entry}')\n`)
}

function optionsFor(dist: string): BuildOptions {
  const { dependencies } = JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8'))
  const outside = Object.keys(dependencies).filter((name) => name !== 'yaml')
  return {
    outdir: dist,
    outbase: dist,
    // The joined file names its parts by their paths: not with the folder, which has another name while it is built.
    absWorkingDir: dist,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // Its ES modules, which esbuild can join; Node.js gets the same code as CommonJS.
    alias: { yaml: join(dist, '..', 'node_modules/yaml/browser/dist/index.js') },
    external: outside.flatMap((name) => [name, `${name}/*`]),
    plugins: [ownAddresses(dist)],
    logLevel: 'warning',
  }
}

/** The names that each entry exports. */
async function findExports(dist: string): Promise<readonly (readonly [string, readonly string[]])[]> {
  const entryPoints = ENTRIES.map((file) => join(dist, `${file}.js`))
  const options = { ...optionsFor(dist), entryPoints, splitting: true, format: 'esm' } as const
  const { metafile } = await build({ ...options, write: false, metafile: true })
  return Object.values(metafile.outputs).flatMap(({ entryPoint, exports }) => {
    const entry = (entryPoint ?? '').split(sep).join('/').replace(/\.js$/, '')
    return ENTRIES.includes(entry) ? [[entry, exports] as const] : []
  })
}

/** Returns the name of the joined file. It is a function of what `bundle-loader.ts` passes to it. */
async function joinFiles(dist: string): Promise<string> {
  const functions = ENTRIES.map((file) => `'${file}': () => require('./${file}.js')`)
  const { metafile } = await build({
    ...optionsFor(dist),
    stdin: {
      contents: `module.exports = {${functions.join(', ')}}`,
      resolveDir: dist,
      sourcefile: 'entries.js',
    },
    entryNames: 'bundle/hydrant-[hash]',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    banner: { js: "(function (module, require, distUrl, resolveOutside, importOutside) { 'use strict';" },
    footer: { js: '})' },
    sourcemap: true,
    metafile: true,
  })
  return basename(Object.keys(metafile.outputs).find((file) => file.endsWith('.cjs')) as string)
}

/** The code of a file finds others by the address that the file has, and not by that of the file that it is joined into. */
const ownAddresses = (dist: string): Plugin => ({
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = path.startsWith(dist + sep) ? readFileSync(path, 'utf8') : ''
      if (!/import\.meta\.|import\(/.test(text)) return undefined
      for (const [, name = ''] of text.matchAll(/new URL\('([a-z-]+)', import\.meta\.url\)/g)) {
        const entry = relative(dist, join(dirname(path), name))
        if (!ENTRIES.includes(entry))
          throw new Error(`${path} loads ${entry}: add it to ENTRIES of tools/bundle.ts.`)
      }
      const url = `(distUrl + ${JSON.stringify(relative(dist, path).split(sep).join('/'))})`
      const replaced: Readonly<Record<string, string>> = {
        url,
        filename: `new URL${url}.pathname`,
        resolve: 'resolveOutside',
      }
      const contents = text
        .replace(/import\.meta\.(url|filename|resolve)\b/g, (_, name: string) => replaced[name] ?? '')
        // A script cannot import modules that are not joined: that is experimental in Node.js. The loader can.
        .replace(/\bimport\((?!'\.)/g, 'importOutside(')
      return { contents, loader: 'js' }
    })
  },
})
