import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChangeEvent } from 'hydrant-client'
import { isOwn } from '../../../../console/shared/connection/own-writes.ts'

type Kind = 'create' | 'update' | 'delete'

test('the user’s own write is recognised by its response, in a batch too', () => {
  const change = (type: Kind, etag?: string) => ({ type, resource: 'http://a/1', etag }) as ChangeEvent
  const sent = (method: string, status: number, etag = '', url = 'http://a/1') => [
    { method, status, url, responseHeaders: { etag } },
  ]
  const batch = (method: string, status: number, etag = '', target = 'http://a/1') => [
    {
      method: 'POST',
      status: 200,
      url: 'http://a/batch',
      responseHeaders: {},
      requestBody: JSON.stringify({
        operation: [
          { method: 'DELETE', target: 'http://a/0' },
          { method, target },
        ],
      }),
      responseBody: JSON.stringify({ operation: [{ status: 204 }, { status, etag }] }),
    },
  ]
  for (const [own, told, entries] of [
    [true, change('update', '"2"'), sent('PATCH', 200, '"2"')],
    [true, change('update', '"2"'), sent('PATCH', 200, '"2-br"')],
    [true, change('create', '"1"'), sent('POST', 201, '"1"', 'http://a')],
    [true, change('delete'), sent('DELETE', 204)],
    [false, change('update', '"3"'), sent('PATCH', 200, '"2"')],
    [false, change('update', '"2"'), sent('GET', 200, '"2"')],
    [false, change('update', '"2"'), sent('PATCH', 412, '"2"')],
    [false, change('delete'), sent('DELETE', 412)],
    [false, change('delete'), sent('DELETE', 204, '', 'http://a/2')],
    [false, change('update'), sent('PATCH', 200)],
    [true, change('update', '"2"'), batch('PATCH', 200, '"2"')],
    [true, change('delete'), batch('DELETE', 204)],
    [false, change('update', '"3"'), batch('PATCH', 200, '"2"')],
    [false, change('delete'), batch('DELETE', 412)],
    [false, change('delete'), batch('DELETE', 204, '', 'http://a/2')],
  ] as const)
    assert.equal(isOwn(told, entries), own, JSON.stringify([told, entries]))
})
