/** Every kind of property, two of which CSV cannot hold: lists of embedded values. */
export const API = `
title: Library
classes:
  Author:
    properties:
      name: { type: string, required: true }
  Book:
    properties:
      title: string
      pages: integer
      price: decimal
      weight: double
      inPrint: boolean
      published: date
      loan: duration
      page: anyURI
      author: Author
      editors: { type: Author, many: true }
      tags: { type: string, many: true }
      names: langString
      publisher: Publisher
      chapters: { type: Chapter, many: true }
  Publisher:
    collection: false
    properties:
      name: string
      cities: { type: string, many: true }
      series: { type: Chapter, many: true }
  Chapter: { collection: false, properties: { title: string } }
`

export const CSV = { Accept: 'text/csv' }
export const ESCAPED = { ...CSV, Prefer: 'spreadsheet' }
export const HEADER =
  '@id,title,pages,price,weight,inPrint,published,loan,page,author,editors,tags,names,publisher.name,publisher.cities'

/** The addresses of a Link header by their relation, and its other text. */
export function linksIn(link: string | undefined): Record<string, string> {
  const found = [...(link ?? '').matchAll(/<([^>]*)>; rel="([a-z]+)"(?:; type="[^"]*")?(?:; ([^,\n]*))?/g)]
  return Object.fromEntries(
    found.flatMap(([, address = '', relation = '', rest]) => [
      [relation, address],
      ...(rest === undefined ? [] : [['rest', rest]]),
    ]),
  )
}
