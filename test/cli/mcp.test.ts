import { test } from 'node:test'
import { assertRefused, hydrant } from './command.ts'

// contract: `hydrant mcp <url>` ¦
test('hydrant mcp starts the bridge of hydrant-mcp, which says what it lacks', async () => {
  const url = 'http://localhost:9/api'
  assertRefused(await hydrant(['mcp', 'http://1:secret@localhost/api']), 2, 'must not contain credentials')
  assertRefused(await hydrant(['mcp', url], { env: { HYDRANT_USER: '2' } }), 2, 'HYDRANT_PARAPHRASE_FILE')
  assertRefused(await hydrant(['mcp']), 2, "missing required argument 'url'")
  assertRefused(await hydrant(['mcp', url, '--user', '2']), 2, "unknown option '--user'")
})
