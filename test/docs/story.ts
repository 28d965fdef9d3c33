import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort, hydrant } from '../cli/command.ts'
import { codeBlocks } from '../support/markdown.ts'
import { HYDRANT, redirectCurl, run, start } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

/** A folder in which a page, or a section of it, is followed: its blocks are typed one after the other. */
export function openStory(t: TestContext, page: string, section?: string) {
  const folder = temporaryFolder(t)
  const blocks = (language: string) => codeBlocks(page, language, section)

  return {
    blocks,
    write: (file: string, text = ''): void => writeFileSync(join(folder, file), text),
    read: (file: string): string => readFileSync(join(folder, file), 'utf8'),
    /** The path of a file that is to be written, in a folder that is there. */
    makePath(file: string): string {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      return join(folder, file)
    },
    /** The lines of a block of text that begin so, as arguments of the command. */
    linesOf: (command: string): string[][] =>
      blocks('text')
        .flatMap((block) => block.trim().split('\n'))
        .filter((line) => line.startsWith(`hydrant ${command}`))
        .map((line) => line.split(' ').slice(1)),
    /** All in one shell, as a reader types them; the output of each block. */
    async type(typed: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
      const command = `hydrant() { '${process.execPath}' '${HYDRANT}' "$@"; }`
      const script = [command, ...typed.map((block) => `${block}\nprintf '\\036'`)].join('\n')
      const { status, stdout, stderr } = await run('bash', ['-ec', script], { cwd: folder, env })
      assert.equal(status, 0, stderr)
      return stdout.split('\u001e').map((text) => text.trim())
    },
    async addUsers(lines: readonly string[][]): Promise<Record<string, string>> {
      const typed: [string, string][] = []
      for (const [index, args] of lines.entries()) {
        const paraphrase = `what user ${index + 1} typed`
        const added = await hydrant(args, { cwd: folder, input: `${paraphrase}\n` })
        assert.equal(added.status, 0, added.stderr)
        typed.push([`PASSPHRASE_${index + 1}`, paraphrase])
      }
      return Object.fromEntries(typed)
    },
    async serve(args: readonly string[]): Promise<Readonly<Record<string, string>>> {
      const port = await freePort()
      const flags = ['--base-url', 'http://localhost:8080/api', '--port', String(port)]
      await start(t, [HYDRANT, ...args, ...flags], /listening/, { cwd: folder })
      return redirectCurl(folder, 8080, port)
    },
  }
}
