const PLACE = /<meta name="hydrant-base" content=""\s*\/?>/g

/** The page learns from a `meta` where the API is: it has no inline code, and its own address says nothing of it. */
export function fillBase(html: string, base: string): string {
  const [before, after, ...others] = html.split(PLACE)
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error('index.html should have <meta name="hydrant-base" content=""> once.')
  }
  return `${before}<meta name="hydrant-base" content="${escapeHtml(base)}">${after}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
