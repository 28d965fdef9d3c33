import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { readConfig, SETTINGS, variableFor } from '../../src/config/index.ts'
import { freePort } from '../cli/command.ts'
import { ROOT } from '../support/markdown.ts'
import { newPostgres } from '../support/postgres.ts'
import { run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { inSoak, soakTest } from '../support/soak.ts'
import { copiesOf, environmentOf, execForm, type Instruction, only, readStages } from './dockerfile.ts'

// There is no Docker where the tests run: what can be held of the files without it, is held here.

const STAGES = readStages()
const [DEPENDENCIES = [], BUILD = [], IMAGE = []] = STAGES
const ENVIRONMENT = environmentOf(IMAGE)
const VARIABLES = Object.values(SETTINGS).map(variableFor)
/** Where the package lies in the image. */
const HOME = '/usr/local/lib/node_modules/hydrant'
/** Where it is built. */
const WORKDIR = only(BUILD, 'WORKDIR').text

const COMPOSE = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'))
const PASSWORD = 'notthepasswordofanybody'
const COMPOSED = interpolate(COMPOSE.services.hydrant.environment, { POSTGRES_PASSWORD: PASSWORD })

test('The Dockerfile copies files that exist, and .dockerignore lets only those through', () => {
  const copied = new Set(
    STAGES.flatMap(copiesOf)
      .filter(({ from }) => from === undefined)
      .flatMap(({ sources }) => sources),
  )
  for (const path of copied) assert.ok(existsSync(join(ROOT, path)), path)
  const rules = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  assert.equal(rules[0], '*')
  assert.deepEqual(rules.slice(1).toSorted(), [...copied].map((path) => `!${path}`).toSorted())
})

test('The image runs as another user than root, starts Hydrant without a shell and contains no secret', () => {
  assert.match(only(IMAGE, 'USER').text, /^[1-9]\d*:[1-9]\d*$/)
  assert.equal(execForm(only(IMAGE, 'ENTRYPOINT').text)[0], 'node')
  assert.deepEqual(execForm(only(IMAGE, 'CMD').text), ['serve'])
  assert.ok(!STAGES.flat().some(({ name }) => name === 'ARG' || name === 'ADD'))
  for (const name of Object.keys(ENVIRONMENT))
    assert.ok(name === 'NODE_ENV' || VARIABLES.includes(name), `${name} is no setting`)
  const { host, port, db, console } = readConfig({}, ENVIRONMENT)
  assert.deepEqual([host, port, db], ['0.0.0.0', 8080, 'sqlite:/data/hydrant.db'])
  assert.equal(console, undefined, 'a page for paraphrases, without a certificate of its own')
  assert.equal(only(IMAGE, 'EXPOSE').text, String(port))
  // The folder of the database belongs to the user before it becomes a volume.
  const owned = IMAGE.find(({ text }) => text.includes('install -d -o node -g node /data'))
  assert.ok(owned && IMAGE.indexOf(owned) < IMAGE.indexOf(only(IMAGE, 'VOLUME')))
  assert.equal(only(IMAGE, 'VOLUME').text, '/data')
})

test('The image has only production dependencies, and the build imports no others', () => {
  assert.match(only(DEPENDENCIES, 'RUN').text, /^npm ci --omit=dev /)
  const taken = copiesOf(IMAGE).find(({ sources }) => sources[0]?.endsWith('node_modules'))
  assert.equal(taken?.from, 'dependencies')
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const imported = importsBelow(join(ROOT, 'dist'))
  assert.ok(imported.size > 5)
  for (const name of imported) assert.ok(name in dependencies, `${name} is not a dependency`)
})

test('The image builds from the files of the Dockerfile, starts, and its health check works', async (t) => {
  const image = await imageOf()
  const { env, served, check } = await startImage(t, image, ENVIRONMENT, {
    HYDRANT_DB: `sqlite:${join(temporaryFolder(t), 'data.db')}`,
  })
  assert.deepEqual(await check(), 0, 'while it serves')
  const challenged = await fetch(`http://127.0.0.1:${env.HYDRANT_PORT}/api/books`)
  assert.equal(challenged.status, 401)
  const types = await run(process.execPath, [join(image, HOME, 'dist/cli/main.js'), 'types', challenged.url])
  assert.match(types.stderr, /--user/, 'the client is in the image')
  assert.equal(await served.stop('SIGTERM'), 0)
  assert.deepEqual(await check(), 1, 'when it has stopped')
})

// contract: `--with` finds `hydrant` whatever folder
test('The image runs a module in the folder of the API file, which finds hydrant and packages beside it', async (t) => {
  const image = await imageOf()
  const code = temporaryFolder(t)
  writeFileSync(join(code, 'api.yaml'), 'classes: { Note: { properties: { text: string } } }')
  writeFileSync(
    join(code, 'hooks.ts'),
    "import { HttpError } from 'hydrant'\nimport { stamp } from 'stamp'\n" +
      'export default { hooks: { Note: { beforeWrite() { throw new HttpError(409, stamp) } } } }',
  )
  mkdirSync(join(code, 'node_modules/stamp'), { recursive: true })
  writeFileSync(join(code, 'node_modules/stamp/index.js'), "exports.stamp = 'Stamped.'")
  const main = join(image, HOME, 'dist/cli/main.js')
  const env = { HYDRANT_WITH: 'hooks.ts', HYDRANT_DB: 'sqlite:data.db' }
  const input = '{"@type":"Note"}'
  const { stderr } = await run(process.execPath, [main, 'import', 'api.yaml', '-'], { cwd: code, env, input })
  assert.match(stderr, /Stamped\./)
})

test('compose.yaml keeps the data of PostgreSQL 18, has no password, and waits for the database', () => {
  const { postgres, hydrant } = COMPOSE.services
  assert.match(postgres.image, /^postgres:18\b/)
  const targets = postgres.volumes.map((volume: string) => volume.split(':'))
  assert.deepEqual(targets, [['postgres', '/var/lib/postgresql']])
  assert.ok('postgres' in COMPOSE.volumes)
  assert.equal(postgres.healthcheck.test[1], 'pg_isready')
  assert.equal(hydrant.depends_on.postgres.condition, 'service_healthy')
  assert.equal(postgres.ports, undefined, 'the database is reached from its network alone')
  for (const port of hydrant.ports) assert.match(port, /^127\.0\.0\.1:/)

  const text = JSON.stringify(COMPOSE)
  const uses = [...text.matchAll(/\$\{POSTGRES_PASSWORD([^}]*)\}/g)].map(([, rest = '']) => rest)
  assert.equal(uses.length, 2)
  for (const rest of uses) assert.match(rest, /^:\?./, 'it stops where there is no password')
  assert.ok(!/PASSWORD=(?!<)/.test(text))
})

test('The variables of compose.yaml are settings with valid values', () => {
  for (const name of Object.keys(COMPOSED)) assert.ok(VARIABLES.includes(name), `${name} is no setting`)
  const { base, db, ops } = readConfig({}, { ...ENVIRONMENT, ...COMPOSED })
  // The image's own is of its loopback; here, other containers may ask.
  assert.deepEqual([readConfig({}, ENVIRONMENT).ops?.host, ops?.host], ['127.0.0.1', '0.0.0.0'])
  assert.equal(base, 'http://localhost:8080/api')
  const { hostname, username, password, pathname } = new URL(db)
  const { POSTGRES_USER, POSTGRES_DB } = COMPOSE.services.postgres.environment
  assert.deepEqual([username, password, pathname], [POSTGRES_USER, PASSWORD, `/${POSTGRES_DB}`])
  assert.ok(hostname in COMPOSE.services)
})

soakTest('The image serves from PostgreSQL with the variables of compose.yaml', async (t) => {
  const image = await imageOf()
  const { env, check } = await startImage(
    t,
    image,
    { ...ENVIRONMENT, ...COMPOSED },
    {
      HYDRANT_DB: newPostgres(t),
    },
  )
  assert.deepEqual(await check(), 0)
  const challenged = await fetch(`http://127.0.0.1:${env.HYDRANT_PORT}/api/books`)
  assert.equal(challenged.status, 401)
})

/** What compose makes of its variables. */
function interpolate(
  environment: Readonly<Record<string, string | number>>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replaceAll(
        /\$\{(\w+):([-?])([^}]*)\}/g,
        (_, variable: string, kind: string, rest: string) =>
          variables[variable] ?? (kind === '-' ? rest : assert.fail(rest)),
      ),
    ]),
  )
}

const IMPORT =
  /^(?:import|export)\b[^;'"=]*?\bfrom ["']([^"'.][^"']*)["']|^import ["']([^"'.][^"']*)["']|\b(?:import|importOutside|require)\(["']([^"'.][^"']*)["']\)/gm

/** The packages that files of JavaScript import by name; in the joined file, through the functions of its loader. */
function importsBelow(folder: string): Set<string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?js$/.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)])
    .map(([, named, bare, late]) => named ?? bare ?? late ?? '')
    .filter((name) => !name.startsWith('node:'))
  return new Set(names.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))
}

const FOLDER = mkdtempSync(join(tmpdir(), 'hydrant-image-'))
after(() => rmSync(FOLDER, { recursive: true, force: true }))

let built: Promise<string> | undefined

/** One for all. */
const imageOf = (): Promise<string> => {
  built ??= buildImage()
  return built
}

/** Carries out the COPY and the build of the Dockerfile in folders; `npm ci` is what the tests run on already. */
async function buildImage(): Promise<string> {
  const folder = FOLDER
  const build = join(folder, 'build')
  copyInto(build, BUILD)
  linkPackages(join(build, 'node_modules'))
  const [install, compile, ...others] = BUILD.filter(({ name }) => name === 'RUN')
  assert.match(install?.text ?? '', /^npm ci /)
  assert.equal(others.length, 0)
  // Without soak, as `npm test` has just built it.
  const built = await run('sh', ['-c', inSoak(compile?.text ?? '', `cp -r '${join(ROOT, 'dist')}' .`)], {
    cwd: build,
  })
  assert.equal(built.status, 0, built.stdout + built.stderr)

  copyInto(folder, IMAGE)
  for (const { from, sources, target } of copiesOf(IMAGE).filter(({ from }) => from !== undefined)) {
    if (from === 'build')
      cpSync(join(build, relative(WORKDIR, sources[0] ?? '')), join(folder, target), { recursive: true })
    else linkPackages(join(folder, target))
  }
  return folder
}

/** What `npm ci` would install: the packages as they are here, and the links to workspaces as npm makes them. */
function linkPackages(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync(join(ROOT, 'node_modules'), { withFileTypes: true })) {
    const installed = join(ROOT, 'node_modules', entry.name)
    symlinkSync(entry.isSymbolicLink() ? readlinkSync(installed) : installed, join(folder, entry.name))
  }
}

/** What comes from this folder. */
function copyInto(folder: string, stage: readonly Instruction[]): void {
  mkdirSync(folder, { recursive: true })
  for (const { from, sources, target } of copiesOf(stage)) {
    if (from !== undefined) continue
    for (const source of sources) {
      const to = target.endsWith('/') ? join(folder, target, basename(source)) : join(folder, target)
      cpSync(join(ROOT, source), to, { recursive: true })
    }
  }
}

/** The entry point of the image with its variables, but on ports and a database of the test's own, on loopback. */
async function startImage(
  t: TestContext,
  image: string,
  environment: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
) {
  const [port, opsPort] = [await freePort(), await freePort()]
  const env = {
    ...environment,
    HYDRANT_HOST: '127.0.0.1',
    HYDRANT_PORT: String(port),
    HYDRANT_OPS_PORT: (environment.HYDRANT_OPS_PORT ?? '')
      .replace('0.0.0.0', '127.0.0.1')
      .replace(/\d+$/, String(opsPort)),
    ...own,
  }
  const [node, main = '', ...rest] = execForm(only(IMAGE, 'ENTRYPOINT').text)
  assert.equal(node, 'node')
  assert.ok(main.startsWith(HOME))
  const args = [join(image, main), ...rest, ...execForm(only(IMAGE, 'CMD').text)]
  const served = await start(t, args, /"listening"/, { cwd: temporaryFolder(t), env })
  const [word, ...check] = execForm(only(IMAGE, 'HEALTHCHECK').text.replace(/^CMD /, ''))
  assert.equal(word, 'node')
  return { env, served, check: async () => (await run(process.execPath, check, { env })).status }
}
