import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type FileEntries, type FileValue, readEntries, readWebhookList } from '../vocabulary/api-file.ts'
import type { WebhookDeclaration } from './declaration.ts'
import { type Destination, readDestination } from './destination.ts'
import { webhookProblem } from './problems.ts'
import { readWebhookSecrets } from './signature.ts'

/** A webhook of a list that was checked. */
export interface Webhook {
  readonly name: string
  readonly destination: Destination
  readonly classes: readonly string[]
  readonly secretFile: string
  readonly secrets: readonly Buffer[]
  readonly includesObject: boolean
}

export interface WebhookContext {
  /** The classes whose changes can be followed. */
  readonly classes: readonly string[]
  /** The names of the program's followers. */
  readonly followers: readonly string[]
  /** Hosts that may be in private networks. */
  readonly allowed: readonly string[]
}

const KEYS = ['name', 'url', 'classes', 'secretFile', 'include']
const REQUIRED = ['name', 'url', 'classes', 'secretFile'] as const
const NAME = /^[a-z][a-z0-9-]{0,63}$/

/** Reads a list, or the file with this path; throws an ApiFileError that names every problem. */
export function readWebhooks(
  list: string | readonly WebhookDeclaration[],
  context: WebhookContext,
): Promise<readonly Webhook[]> {
  // Like most files that name others, the list names secrets from its own folder.
  const folder = typeof list === 'string' ? dirname(list) : '.'
  return readWebhookList(list, (root) => {
    if (!root.isList) root.add(webhookProblem('WebhooksNotAList'))
    const names = new Set<string>()
    return (root.isList ? root.elements : []).flatMap((element) => {
      const entries = readEntries(element, { kind: 'webhook' }, KEYS)
      if (!element.isMap) return []
      for (const key of REQUIRED)
        if (!entries.has(key)) element.add(webhookProblem('MissingWebhookKey', { key }))
      return readWebhook(entries, { ...context, folder, names }) ?? []
    })
  })
}

interface ListContext extends WebhookContext {
  readonly folder: string
  /** The names of the webhooks before this one. */
  readonly names: Set<string>
}

/** Undefined if something is wrong with it. */
function readWebhook(entries: FileEntries, context: ListContext): Webhook | undefined {
  const name = readName(entries, context)
  const destination = readUrl(entries, context)
  const classes = readClasses(entries.get('classes')?.value, context)
  const path = entries.text('secretFile')
  const secretFile = path === undefined ? undefined : resolve(context.folder, path)
  const secrets = secretFile === undefined ? undefined : readSecretFile(secretFile, entries)
  const include = entries.get('include')?.value
  if (include !== undefined && include.json !== 'object') include.add(webhookProblem('UnknownInclude'))
  if (name === undefined || destination === undefined || secretFile === undefined) return undefined
  if (classes === undefined || secrets === undefined) return undefined
  return { name, destination, classes, secretFile, secrets, includesObject: include !== undefined }
}

function readName(entries: FileEntries, { names, followers }: ListContext): string | undefined {
  const name = entries.text('name')
  const value = entries.get('name')?.value
  if (name === undefined || value === undefined) return undefined
  if (!NAME.test(name)) return value.add(webhookProblem('InvalidWebhookName'))
  const by = names.has(name) ? 'webhook' : followers.includes(name) ? 'follower' : undefined
  names.add(name)
  return by === undefined ? name : value.add(webhookProblem('DuplicateWebhookName', { name, by }))
}

function readUrl(entries: FileEntries, { allowed }: ListContext): Destination | undefined {
  const text = entries.text('url')
  const read = text === undefined ? undefined : readDestination(text, allowed)
  return read === undefined || 'url' in read ? read : entries.get('url')?.value.add(read)
}

function readClasses(value: FileValue | undefined, { classes }: ListContext): readonly string[] | undefined {
  if (value === undefined) return undefined
  const elements = value.isEmpty ? [] : value.elements
  if (elements.length === 0) return value.add(webhookProblem('NoWebhookClass'))
  const names: string[] = []
  for (const element of elements) {
    const { json } = element
    const name = typeof json === 'string' ? json : undefined
    if (name === undefined || !classes.includes(name))
      element.add(webhookProblem('NotAWebhookClass', { name, known: classes }))
    else if (names.includes(name)) element.add(webhookProblem('DuplicateWebhookClass', { name }))
    else names.push(name)
  }
  return names
}

function readSecretFile(path: string, entries: FileEntries): readonly Buffer[] | undefined {
  const value = entries.get('secretFile')?.value
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return value?.add(webhookProblem('WebhookSecretUnreadable', { path, systemCode: code }))
  }
  const read = readWebhookSecrets(text, path)
  return 'code' in read ? value?.add(read) : read
}
