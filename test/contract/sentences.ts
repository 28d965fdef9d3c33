/** A sentence or a table row of a page of the contract, with the heading that it stands under. */
export interface Sentence {
  readonly heading: string
  readonly text: string
}

/** Splits a page into what can be held by a test: each sentence of its prose, each row of its tables. */
export function readSentences(markdown: string): Sentence[] {
  const sentences: Sentence[] = []
  let heading = ''
  let paragraph = ''
  let rowsSeen = 0

  const flush = () => {
    for (const text of splitSentences(paragraph)) sentences.push({ heading, text })
    paragraph = ''
  }

  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) {
      flush()
      heading = line.replace(/^#+ /, '')
      rowsSeen = 0
    } else if (line.startsWith('|')) {
      flush()
      rowsSeen += 1
      // The first row names the columns, the second draws the line.
      if (rowsSeen > 2)
        sentences.push({ heading, text: line.replace(/^\|\s*|\s*\|$/g, '').replaceAll(' | ', ' ¦ ') })
    } else if (/^(\s*[-*]|\s*\d+\.) /.test(line)) {
      flush()
      paragraph = line.replace(/^\s*([-*]|\d+\.) /, '')
    } else if (line.trim() === '') {
      flush()
      rowsSeen = 0
    } else {
      paragraph += (paragraph === '' ? '' : ' ') + line.trim()
    }
  }
  flush()
  return sentences
}

/** At a full stop before a capital, a quote or a backtick; not inside code, and not after "e.g.". */
function splitSentences(paragraph: string): string[] {
  const code: string[] = []
  const masked = paragraph.replace(/`[^`]*`/g, (text) => `¶${code.push(text) - 1}¶`)
  return masked
    .split(/(?<=[.!?]\*{0,2}) (?=[A-Z"¶*(])/u)
    .map((text) => text.replace(/¶(\d+)¶/g, (_, index) => code[Number(index)] ?? '').trim())
    .filter((text) => text !== '')
}
