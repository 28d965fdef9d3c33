import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { Command } from 'commander'
import { COMMAND } from './command-name.ts'
import { INIT_FILE } from './init-file.ts'
import { example } from './output.ts'

/** `hydrant init [folder]`: an API file to start from. */
export function addInit(program: Command): void {
  program
    .command('init [folder]')
    .description('write a commented api.yaml to start from, in this folder or in a new one')
    .addHelpText('after', example('hydrant init', 'hydrant init my-api'))
    .action(async (folder: string | undefined) => {
      const path = join(folder ?? '.', 'api.yaml')
      await write(folder, path)
      console.log(nextSteps(folder, path))
    })
}

async function write(folder: string | undefined, path: string): Promise<void> {
  try {
    if (folder !== undefined) await mkdir(folder, { recursive: true })
    // Fails where there is a file already: somebody's work is never overwritten.
    await writeFile(path, INIT_FILE, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(REASONS[code ?? '']?.(path) ?? `${path} cannot be written: ${message}`)
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  EEXIST: (path) =>
    `${path} cannot be written, since something of this name is there already; name another folder.`,
  ENOTDIR: (path) => `${path} cannot be written: a part of the path is a file; name another folder.`,
  EACCES: (path) => `${path} cannot be written: this user may not write there; name another folder.`,
  EROFS: (path) => `${path} cannot be written: the disk can only be read; name another folder.`,
}

function nextSteps(folder: string | undefined, path: string): string {
  const command = commandIn(folder ?? '.')
  const steps = [
    ...(folder === undefined || resolve(folder) === resolve() ? [] : [`cd ${quoted(folder)}`]),
    ...['check api.yaml', 'user add 1', 'serve api.yaml'].map((step) => `${command} ${step}`),
  ]
  return [`Wrote ${path}. Change it as you like, then:`, '', ...steps.map((step) => `  ${step}`)].join('\n')
}

/** The command as it is typed in that folder, where it is typed by its path. */
const commandIn = (folder: string): string =>
  COMMAND.includes(sep) ? relative(resolve(folder), resolve(COMMAND)) : COMMAND

/** For the shell, where it needs that. */
const quoted = (text: string): string =>
  /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
