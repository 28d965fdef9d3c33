import assert from 'node:assert/strict'
import { type Json, type SignedIn, serveSignedIn } from '../api/signed-in.ts'
import type { Ended } from '../support/service.ts'

/** Names of several scripts for everything that has one: with marks, without case, beyond the first plane. */
export const ANY_SCRIPT = `
title: Bücherei 図書館
classes:
  Büro:
    collection: büros
    properties:
      名: { type: string, required: true, unique: true }
  Maß:
    collection: false
    properties:
      länge: { type: decimal, required: true }
      amtBüro: Büro
  本:
    properties:
      größe: { type: integer, minimum: 1, required: true }
      名前: { type: string, required: true }
      मूल्य: { type: decimal, unique: true }
      büro: Büro
      слова: { type: string, many: true }
      maß: Maß
      𠮷-2: double
  Überblick:
    collection: false
    operations: [read, create, replace, update]
    properties:
      текст: langString
`

export interface AnyScript extends SignedIn {
  /** Addresses. */
  readonly büro: string
  readonly books: readonly string[]
}

/** Five books on pages of two, an office and an overview. */
export async function serveAnyScript(t: Ended, db?: string): Promise<AnyScript> {
  const service = await serveSignedIn(t, {
    api: ANY_SCRIPT,
    flags: { pageSize: '2' },
    ...(db === undefined ? {} : { db }),
  })
  const büro = (await service.add('/b%C3%BCros', { 名: 'Größtes' }))['@id']
  const books: string[] = []
  for (let größe = 1; größe <= 5; größe++) {
    const book = {
      ...{ größe, 名前: `本 ${größe}`, मूल्य: `${größe}.50`, слова: ['ёж', 'Ünï'], '𠮷-2': größe / 3 },
      ...(größe % 2 === 1 && { büro, maß: { länge: '1.0', amtBüro: büro } }),
    }
    books.push((await service.add('/%E6%9C%AC', book))['@id'])
  }
  const overview = await service.send(
    'PUT',
    '/%C3%9Cberblick',
    { 'Content-Type': 'application/ld+json' },
    JSON.stringify({ текст: { ru: 'да' } }),
  )
  assert.equal(overview.status, 201, overview.body)
  return { ...service, büro, books }
}

export const sizesIn = (page: Json): unknown[] =>
  (page.member as readonly Json[]).map((member) => member.größe)
