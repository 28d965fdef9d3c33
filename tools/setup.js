// Runs before `npm start`, `npm test` and others: installs the dependencies from the lock file if they are missing, so
// that each command alone is enough in a fresh clone. With `--start`, only those that build and run the server.
// Plain JavaScript: the Node.js that runs this may be older than the one that Hydrant needs.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const installed = join(modules, '.package-lock.json')
const locked = join(root, 'package-lock.json')
/** This file says that only a part is installed. `npm ci` removes it together with everything else. */
const partial = join(modules, '.installed-for-start')

const isForStart = process.argv.includes('--start')
const isMissing = !existsSync(installed) || statSync(installed).mtimeMs < statSync(locked).mtimeMs
if (isMissing || (!isForStart && existsSync(partial))) install()
requireNode()

function install() {
  const what = isForStart ? 'what the server needs' : 'the dependencies'
  process.stderr.write(`Installing ${what} (once; this takes a minute or two) ...\n`)
  const npm = spawnSync('npm', ['ci', ...part(), '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    // npm would complain about the old Node.js, which is the very reason for installing the pinned one.
    env: { ...process.env, PATH: outerPath(), npm_config_engine_strict: 'false' },
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    process.stderr.write('npm ci failed; its message is above. Is the package registry reachable?\n')
    process.exit(1)
  }
  removeHeaders()
  if (isForStart) writeFileSync(partial, '')
}

/**
 * npm runs on the machine's own Node.js: the pinned one is about to be replaced, and may not know the certificates that
 * the machine trusts.
 */
function outerPath() {
  const folders = (process.env.PATH || '').split(delimiter)
  return folders.filter((folder) => !folder.startsWith(modules)).join(delimiter)
}

/** The package itself has the tools that build it; workspaces have the client, and the pinned Node.js if it is needed. */
function part() {
  if (!isForStart) return []
  const workspaces = hasOwnNode() ? ['packages/client'] : ['packages/client', 'tools/runtime']
  return ['--include-workspace-root', ...workspaces.map((folder) => `--workspace=${folder}`)]
}

/** The pinned Node.js comes with 65 MB of headers, with which nothing is compiled here. */
function removeHeaders() {
  for (const name of readdirSync(modules))
    if (name.startsWith('node-linux-'))
      rmSync(join(modules, name, 'include'), { recursive: true, force: true })
}

/** Whether the machine has a Node.js that is new enough. */
function hasOwnNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [wantedMajor, wantedMinor] = wantedNode().split('.').map(Number)
  const isNew = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
  return isNew && !process.execPath.startsWith(modules + sep)
}

function wantedNode() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
}

/** The scripts run under node_modules/.bin/node where the runtime package has one, else under this Node.js. */
function requireNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  if (existsSync(join(modules, '.bin', name)) || hasOwnNode()) return
  process.stderr.write(
    `Hydrant needs Node.js ${wantedNode()} or newer; this is ${process.versions.node}, and no pinned Node.js ` +
      `exists for ${process.platform}-${process.arch}. Install one, then run the command again.\n`,
  )
  process.exit(1)
}
