import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createOpenApi } from '../../../src/api/index.ts'
import { type Model, permittedModel } from '../../../src/vocabulary/index.ts'
import { ROOT } from '../../support/markdown.ts'
import { run } from '../../support/processes.ts'
import { modelOf, temporaryFolder } from '../../support/service.ts'
import { soakTest } from '../../support/soak.ts'
import { richModel } from '../rich-api.ts'

/** It sends nothing anywhere, and does not look for a newer version of itself. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }

/** The API of somebody else has a licence of its own, and examples are served on this machine. */
const SKIPPED = ['info-license', 'no-server-example.com'].flatMap((rule) => ['--skip-rule', rule])

interface Problem {
  readonly ruleId: string
  readonly message: string
  readonly location: readonly object[]
}

async function problemsIn(documents: Readonly<Record<string, object>>, folder: string): Promise<Problem[]> {
  const files = Object.entries(documents).map(([name, document]) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(document))
    return file
  })
  const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js')
  const args = [cli, 'lint', ...files, ...SKIPPED, '--format=json']
  const { stdout, stderr } = await run(process.execPath, args, {
    cwd: folder,
    env: QUIET,
  })
  // One after the other, without anything between them.
  const reports = stdout.split(/(?<=^\})(?=\{)/m)
  assert.equal(reports.length, files.length, stdout + stderr)
  return reports.flatMap((text) => JSON.parse(text).problems)
}

const documentOf = (model: Model, mode: 'token' | 'nonce' | 'open' = 'token') =>
  createOpenApi(model, 'http://localhost:8080/api', { mode, pageSizes: { standard: 20, maximum: 100 } })

// contract: OpenAPI 3.1 of the whole API from the same model
test('a linter finds nothing in the documents of the examples and of an API that has everything', async (t) => {
  const files = globSync('examples/*.yaml', { cwd: ROOT }).sort()
  assert.ok(files.length > 2)
  const examples = files.map((file, index) => [
    index,
    documentOf(modelOf(readFileSync(join(ROOT, file), 'utf8'))),
  ])
  const rich = richModel()
  const documents = {
    ...Object.fromEntries(examples),
    rich: documentOf(rich),
    reader: documentOf(permittedModel(rich, [])),
    open: documentOf(rich, 'open'),
    nonce: documentOf(rich, 'nonce'),
  }
  assert.deepEqual(await problemsIn(documents, temporaryFolder(t)), [])
})

soakTest('the linter would find a wrong example and an unused component', async (t) => {
  const document = documentOf(richModel()) as {
    components: { schemas: Record<string, { examples: object[] }> }
  }
  const { schemas } = document.components
  const wrong = {
    ...document,
    components: {
      ...document.components,
      schemas: { ...schemas, unused: {}, Thing_input: { ...schemas.Thing_input, examples: [{ label: 3 }] } },
    },
  }
  const rules = (await problemsIn({ wrong }, temporaryFolder(t))).map(({ ruleId }) => ruleId)
  assert.deepEqual([...new Set(rules)].toSorted(), ['no-invalid-schema-examples', 'no-unused-components'])
})
