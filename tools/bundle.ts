import { copyFileSync, globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** Files that are loaded by their own address: as a package or a command, or on a thread or in a process of its own. */
const ENTRIES = [
  'api/input/expansion-thread',
  'api/output/rdf/conversion',
  'auth/middleware',
  'auth/store/sqlite/writes',
  'cli/program',
  'cli/workers/worker',
  'client',
  'database/sqlite/write-thread',
  'library/index',
  'members/sqlite/commands',
  'members/sqlite/follower-commands',
  'members/sqlite/scan-thread',
]
/** The start of the command, which an old Node.js must be able to read. */
const UNBUNDLED = ['cli/main', 'runtime']

/**
 * Joins the compiled files of dist/ into a few: Node.js takes a third of the time of `hydrant check` to find and read
 * hundreds of them. `yaml` is joined too, since it alone is 70 files; all other packages stay outside.
 */
export async function bundle(dist: string): Promise<void> {
  const isKept = (file: string) => [...ENTRIES, ...UNBUNDLED].includes(file.replace(/\.js$/, ''))
  const compiled = globSync('**/*.js', { cwd: dist, exclude: ['console/**'] }).filter((file) => !isKept(file))
  const { dependencies } = JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8'))
  const outside = Object.keys(dependencies).filter((name) => name !== 'yaml')
  await build({
    entryPoints: ENTRIES.map((file) => join(dist, `${file}.js`)),
    outdir: dist,
    outbase: dist,
    allowOverwrite: true,
    chunkNames: 'bundle/[name]-[hash]',
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Its ES modules, which esbuild can join; Node.js gets the same code as CommonJS.
    alias: { yaml: join(dist, '..', 'node_modules/yaml/browser/dist/index.js') },
    external: outside.flatMap((name) => [name, `${name}/*`]),
    plugins: [ownAddresses(dist)],
    // Addresses of files in dist/, from whichever file of dist/ the code has come to be in.
    banner: { js: "const distUrl = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 6);" },
    sourcemap: true,
    logLevel: 'warning',
  })
  // Its licence asks for the notice in every copy.
  copyFileSync(join(dist, '..', 'node_modules/yaml/LICENSE'), join(dist, 'bundle/yaml-LICENSE'))
  for (const file of compiled)
    for (const one of [file, `${file}.map`]) rmSync(join(dist, one), { force: true })
}

/** The code of a file finds others by the address that the file has, and not by that of the file that it is joined into. */
const ownAddresses = (dist: string): Plugin => ({
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = path.startsWith(dist + sep) ? readFileSync(path, 'utf8') : ''
      if (!text.includes('import.meta.')) return undefined
      for (const [, name = ''] of text.matchAll(/new URL\('([a-z-]+)', import\.meta\.url\)/g)) {
        const entry = relative(dist, join(dirname(path), name))
        if (!ENTRIES.includes(entry))
          throw new Error(`${path} loads ${entry}: add it to ENTRIES of tools/bundle.ts.`)
      }
      const url = `(distUrl + ${JSON.stringify(relative(dist, path).split(sep).join('/'))})`
      const contents = text.replace(/import\.meta\.(url|filename)/g, (_, name) =>
        name === 'url' ? url : `new URL${url}.pathname`,
      )
      return { contents, loader: 'js' }
    })
  },
})
