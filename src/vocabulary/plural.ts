/**
 * A small English plural, for names that the API file leaves out: Author, authors; Category, categories; Box, boxes.
 * A word of another script has none.
 */
export function plural(word: string): string {
  if (/(?!\p{Script=Latin})[\p{L}\p{M}]$/u.test(word)) return word
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`
  if (/(?:s|x|z|ch|sh)$/i.test(word)) return `${word}es`
  return `${word}s`
}
