import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { ROOT } from '../support/markdown.ts'

export interface Answered {
  readonly body: unknown
  readonly type?: string
  /** Of the documentation, as its `Link` names it. */
  readonly documentation?: string
}

/** A server of somebody else: answers by path, and 404 elsewhere. */
export async function serveOthers(
  t: TestContext,
  answers: Readonly<Record<string, Answered>>,
): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const found = answers[url]
    if (found === undefined) {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>')
      return
    }
    const { body, type = 'application/ld+json', documentation } = found
    const rel = 'http://www.w3.org/ns/hydra/core#apiDocumentation'
    if (documentation !== undefined) response.setHeader('Link', `<${documentation}>; rel="${rel}"`)
    response.writeHead(200, { 'Content-Type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const collection = (path: string, type: unknown, template: string, variables: readonly string[]) => ({
  '@context': `/contexts/${path}`,
  '@id': `/${path}`,
  '@type': 'hydra:Collection',
  'hydra:member': [{ '@id': `/${path}/1`, '@type': type }],
  'hydra:search': {
    '@type': 'hydra:IriTemplate',
    'hydra:template': template,
    'hydra:mapping': variables.map((variable) => ({
      '@type': 'IriTemplateMapping',
      variable,
      property: variable.replace(/\[.*/, ''),
      required: variable === 'body',
    })),
  },
})

/** As API Platform serves it: prefixed terms, contexts that would have to be fetched, addresses without a host. */
export const KITCHEN = {
  '/': {
    documentation: '/docs.jsonld',
    body: {
      '@context': '/contexts/Entrypoint',
      '@id': '/',
      '@type': 'Entrypoint',
      recipe: '/recipes',
      cook: '/cooks',
      review: '/reviews',
    },
  },
  '/docs.jsonld': {
    body: JSON.parse(readFileSync(join(ROOT, 'test/documents/api-platform.jsonld'), 'utf8')),
  },
  '/recipes': {
    body: collection('recipes', 'https://schema.org/Recipe', '/recipes{?page,name,name[],price[between]}', [
      ...['page', 'name', 'name[]', 'price[between]', 'price[gt]', 'cook', 'order[name]', 'exists[price]'],
      ...['createdAt[strictly_before]', 'cook.name', 'name'],
    ]),
  },
  '/cooks': { body: { '@id': '/cooks', '@type': 'hydra:Collection', 'hydra:member': [] } },
  '/reviews': { body: collection('reviews', 'Review', '/reviews{?body*}', ['body']) },
} satisfies Record<string, Answered>
