import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { ROOT } from '../support/markdown.ts'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

interface Step {
  readonly uses?: string
  readonly run?: string
}

interface Job {
  readonly permissions?: unknown
  readonly 'timeout-minutes': number
  readonly steps: readonly Step[]
}

const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: ROOT }).map((path) => {
  const { on, permissions, jobs } = parse(readFileSync(join(ROOT, path), 'utf8'))
  return { path, on, permissions, jobs: Object.values<Job>(jobs) }
})

test('workflows run commands that exist, with actions pinned to a commit, and with few rights', () => {
  assert.equal(WORKFLOWS.length, 2)
  for (const { path, permissions, jobs } of WORKFLOWS) {
    assert.ok(permissions !== undefined && permissions !== 'write-all', path)
    for (const job of jobs) {
      assert.ok(job['timeout-minutes'] > 0, path)
      for (const { uses, run = '' } of job.steps) {
        if (uses !== undefined) assert.match(uses, /@[0-9a-f]{40}$/, path)
        for (const [, name = ''] of run.matchAll(/npm run (?:--silent )?([\w:]+)/g))
          assert.ok(name in scripts, `${path}: npm run ${name}`)
        // Values that come from outside reach a script by variables, never as part of it.
        assert.doesNotMatch(run, /\$\{\{/, path)
      }
    }
  }
  assert.ok(existsSync(join(ROOT, '.ci/run')))
})

test('tests and images are run on both architectures', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/test.yml'), 'utf8')
  const { jobs } = parse(text)
  for (const name of ['test', 'image'])
    assert.deepEqual(jobs[name].strategy.matrix.runner, ['ubuntu-24.04', 'ubuntu-24.04-arm'])
})

test('issue forms ask for what a fault needs, and lead to SECURITY.md', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT })
    .filter((path) => !path.endsWith('config.yml'))
    .map((path) => parse(readFileSync(join(ROOT, path), 'utf8')))
  assert.equal(forms.length, 3)
  for (const { name, description, body } of forms) {
    assert.ok(name && description)
    const ids = body.flatMap(({ id }: { id?: string }) => id ?? [])
    assert.equal(new Set(ids).size, ids.length)
  }
  assert.match(readFileSync(join(ROOT, '.github/ISSUE_TEMPLATE/fault.yml'), 'utf8'), /SECURITY\.md/)
})
