import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { codeBlock } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'
import { soakTest } from '../support/soak.ts'
import { COMPILERS, installHydrant, linkInstalled } from './packed.ts'

const PAGE = 'docs/protect-your-service.md'

for (const { file, name } of [
  { file: 'plain.js', name: 'the node:http example of docs/protect-your-service.md works as printed' },
  { file: 'with-express.js', name: 'the Express example of docs/protect-your-service.md works as printed' },
  { file: 'with-hono.js', name: 'the Hono example of docs/protect-your-service.md works as printed' },
]) {
  test(name, async (t) => {
    const { env, port } = await startExample(t, file)
    const steps = codeBlock(PAGE, 'sh', 'NONCE=')
    const { stdout, stderr } = await run('bash', ['-ec', steps], { env })
    assert.match(stdout, /^Hello, user 1$/m, stderr)

    if (file !== 'plain.js') {
      const echo = await run('bash', ['-ec', steps + codeBlock(PAGE, 'sh', '/echo')], { env })
      assert.match(echo.stdout, /\{"user":1,"echo":\{"a":1\}\}/)
    }

    const url = `http://127.0.0.1:${port}/echo`
    const challenged = await fetch(url, { method: 'POST', body: '{"a":1}' })
    assert.equal(challenged.status, 401)
    assert.equal(await challenged.text(), '{"401": "Need credentials to authenticate"}')
    assert.equal(challenged.headers.get('www-authenticate'), 'Basic realm="Login required"')

    const token = await exchange(url, challenged.headers.get('x-authentication') ?? '')
    const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
    const served = await fetch(url, { method: 'POST', body: '{"a":1}', headers })
    assert.equal(served.status, 200)
    assert.match(await served.text(), file === 'plain.js' ? /user 1/ : /\{"user":1,"echo":\{"a":1\}\}/)

    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { Origin: 'http://elsewhere', 'Access-Control-Request-Method': 'POST' },
    })
    assert.equal(preflight.status, 204)
  })
}

/** Most services are compiled without the types of browsers. */
const LIBRARIES = { 'with the types of browsers': [], 'without the types of browsers': ['--lib', 'es2022'] }

const COMPILATIONS = Object.entries(COMPILERS).flatMap(([compiler, tsc]) =>
  Object.entries(LIBRARIES).map(([types, library]) => ({ name: `${compiler}, ${types}`, tsc, library })),
)

// docs/package compiles the types of the client by both compilers.
for (const [index, { name, tsc, library }] of COMPILATIONS.entries()) {
  const compile = index === 0 ? test : soakTest
  compile(`the TypeScript of docs/protect-your-service.md and all types compile with ${name}`, async (t) => {
    const folder = temporaryFolder(t)
    await installHydrant(folder)
    linkInstalled(folder, ['express', 'undici-types', '@types'])
    const files = {
      'package.json': '{"type":"module"}',
      'typed.ts': codeBlock(PAGE, 'ts', '// typed.ts'),
      'route.ts': codeBlock(PAGE, 'ts', '// route.ts'),
      'all.ts': `import { createServer, createSecureServer } from 'node:http2'
        import { createServer as createHttpServer } from 'node:http'
        import express from 'express'
        import { createHydrant, type Hydrant } from 'hydrant'
        import { openProtection } from 'hydrant/auth'
        import { createClient } from 'hydrant/client'
        import { ApiError, type Client } from 'hydrant-client'
        const hydrant: Hydrant = await createHydrant({ apiFile: 'api.yaml' })
        createServer(hydrant.listener), createSecureServer({}, hydrant.listener)
        createHttpServer(hydrant.listener), express().use(hydrant.listener)
        const protection = await openProtection({ db: 'sqlite:users.db', base: 'http://localhost' })
        createServer(protection.protect((request, response) => {
          response.stream.end(request.authority + request.principal.userId)
        }))
        const client: Client = createClient({ base: 'http://localhost' })
        client.entryPoint().catch((error) => error instanceof ApiError && error.code)`,
      'wrong.ts': `import { openProtection } from 'hydrant/auth'
        const protection = await openProtection({ db: 'sqlite:users.db', base: 'http://localhost' })
        protection.protect((request) => request.principle)`,
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    const strict = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--pretty', 'false']
    const modules = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node']
    const names = Object.keys(files).filter((file) => file.endsWith('.ts'))
    const args = [tsc, ...strict, ...modules, ...library, ...names]
    const { stdout } = await run(process.execPath, args, { cwd: folder })
    assert.match(stdout, /^wrong\.ts\(3,\d+\): error TS\d+: Property 'principle' does not exist[^\n]*\n$/)
  })
}

/** Step B on a POST: a token, and the listener does not see the request. */
async function exchange(url: string, nonce: string): Promise<string> {
  const Authorization = `Basic ${btoa('1:open the pod bay doors')}`
  const response = await fetch(url, {
    method: 'POST',
    body: '{"a":1}',
    headers: { Authorization, 'X-Authentication': nonce },
  })
  assert.equal(await response.text(), '{"200": "User token generated"}')
  return response.headers.get('x-authorization') ?? ''
}

async function startExample(t: TestContext, file: string) {
  const folder = temporaryFolder(t)
  await installHydrant(folder)
  linkInstalled(folder, ['express', 'hono', '@hono/node-server'])
  writeFileSync(join(folder, file), codeBlock(PAGE, 'js', `// ${file}`))
  const add = codeBlock(PAGE, 'sh', 'user add').replace('npx hydrant', `"${process.execPath}" "${HYDRANT}"`)
  const { stdout, stderr } = await run('bash', ['-ec', add], { cwd: folder })
  assert.match(stdout, /User 1 was added/, stderr)

  const port = await freePort()
  await start(t, [join(folder, file)], /listening on/, { cwd: folder, env: { PORT: String(port) } })
  return { port, env: redirectCurl(folder, 3000, port) }
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
