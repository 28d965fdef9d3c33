// Runs before `npm start` and `npm test`: installs the dependencies from the lock file if they are missing, so that
// either command alone is enough in a fresh clone.
// Plain JavaScript: the Node.js that runs this may be older than the one that Hydrant needs.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installed = join(root, 'node_modules', '.package-lock.json')
const locked = join(root, 'package-lock.json')

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(locked).mtimeMs) install()
requireNode()

function install() {
  process.stderr.write('Installing the dependencies (once; this takes a minute or two) ...\n')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    // npm would complain about the old Node.js, which is the very reason for installing the pinned one.
    env: { ...process.env, npm_config_engine_strict: 'false' },
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    process.stderr.write('npm ci failed; its message is above. Is the package registry reachable?\n')
    process.exit(1)
  }
}

/** The scripts run under node_modules/.bin/node where the runtime package has one, else under this Node.js. */
function requireNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  if (existsSync(join(root, 'node_modules', '.bin', name))) return
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  process.stderr.write(
    `Hydrant needs Node.js ${wanted} or newer; this is ${process.versions.node}, and no pinned Node.js ` +
      `exists for ${process.platform}-${process.arch}. Install one, then run the command again.\n`,
  )
  process.exit(1)
}
