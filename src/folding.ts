/**
 * Text as people compare it (asking.md, Text): NFKD, without the marks of Latin, Greek and Cyrillic letters, without regard
 * to case, and with Latin letters that do not decompose written out. Takes linear time; the result has at most 8 times as
 * many characters, and 2,000 more.
 */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return foldCase(unmarked(decomposed(text))).replaceAll(
    UNDECOMPOSED,
    (letter) => WRITTEN_OUT.get(letter) ?? letter,
  )
}

const BEYOND_ASCII = /[^\0-\x7f]/

/** The kind of each character in Unicode's first plane: a regular expression takes ten times as long. */
const kinds = new Uint8Array(0x10000)
const OTHER = 1
const MARK = 2
/** A Latin, Greek or Cyrillic letter. */
const LETTER = 3
/** A letter of another script, or a digit. */
const WORD = 4

function kindOf(code: number): number {
  if (code > 0xffff) return findKind(code)
  kinds[code] ||= findKind(code)
  return kinds[code] as number
}

function findKind(code: number): number {
  const character = String.fromCodePoint(code)
  if (/\p{M}/u.test(character)) return MARK
  if (!/[\p{L}\p{N}]/u.test(character)) return OTHER
  return /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(character) ? LETTER : WORD
}

/** The maximum per letter in Unicode's stream-safe text (UAX #15, D4). */
const MOST_MARKS = 30

/** A whole sentence in one character, ﷺ, which NFKD turns into 18. */
const SENTENCE = 0xfdfa
const MOST_SENTENCES = 100

/**
 * NFKD sorts the marks of a letter, in quadratic time: of more than 30 marks, every 30 are sorted by themselves. Beyond the
 * first 100 of a text, sentences in one character stay as they are: a megabyte of them would take seconds.
 */
function decomposed(text: string): string {
  let done = ''
  let start = 0
  let marks = 0
  let sentences = 0
  for (let index = 0, next = 0; index < text.length; index = next) {
    const code = text.codePointAt(index) as number
    next += code > 0xffff ? 2 : 1
    if (code === SENTENCE) {
      sentences += 1
      if (sentences > MOST_SENTENCES) {
        done += text.slice(start, index).normalize('NFKD') + text.slice(index, next)
        start = next
      }
    }
    marks = kindOf(code) === MARK ? marks + 1 : 0
    if (marks <= MOST_MARKS) continue
    done += text.slice(start, index).normalize('NFKD')
    start = index
    marks = 1
  }
  return done + text.slice(start).normalize('NFKD')
}

/** Removes the marks of Latin, Greek and Cyrillic letters; those of other scripts distinguish words. */
function unmarked(text: string): string {
  let kept = ''
  let start = 0
  let isLetter = false
  for (let index = 0, next = 0; index < text.length; index = next) {
    const code = text.codePointAt(index) as number
    next += code > 0xffff ? 2 : 1
    const kind = kindOf(code)
    if (kind !== MARK) isLetter = kind === LETTER
    else if (isLetter) {
      kept += text.slice(start, index)
      start = next
    }
  }
  return start === 0 ? text : kept + text.slice(start)
}

/**
 * Unicode's default case folding: through lower case to upper case and back, so that ß, its capital ẞ and SS meet, and ı, i
 * and I. A capital sigma becomes another letter at the end of a word than elsewhere; both are the same here.
 */
export const foldCase = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/**
 * The Latin letters that Unicode names after another one "with" something but does not decompose (ø, ł, đ), and those of
 * present alphabets that have a usual spelling without them (æ, þ, ŋ). docs/requests.md explains them.
 */
const WRITTEN_OUT = new Map(
  Object.entries({
    a: 'ɑᶏⱥ',
    b: 'ƀƃɓᵬᶀꞗ',
    c: 'ƈȼɕꞓꞔ',
    d: 'ðđƌȡɖɗᵭᶁᶑ',
    e: 'ǝɇəɛᶒⱸꬴ',
    f: 'ƒᵮᶂꞙ',
    g: 'ǥɠɡɣᶃꞡ',
    h: 'ħɦⱨꞕ',
    i: 'ɨɩᶖ',
    j: 'ȷɉʝ',
    k: 'ƙᶄⱪꝁꝃꝅꞣ',
    l: 'łƚȴɫɬɭᶅⱡꝉꞎꬷꬸꬹ',
    m: 'ɱᵯᶆꬺ',
    n: 'ŋƞȵɲɳᵰᶇꞑꞥꬻ',
    o: 'øɔɵⱺꝋꝍ',
    p: 'ƥᵱᵽᶈꝑꝓꝕ',
    q: 'ĸɋʠꝗꝙ',
    r: 'ɍɼɽɾᵲᵳᶉꞧꭉ',
    s: 'ȿʂʃᵴᶊẜẝꞩ',
    t: 'ŧƫƭȶʈᵵⱦ',
    u: 'ʉʊᶙꞹꭎꭒ',
    v: 'ʋᶌⱱⱴꝟ',
    w: 'ƿⱳ',
    x: 'ᶍꭖꭗꭘꭙ',
    y: 'ƴɏỿꭚ',
    z: 'ƶȥɀʐʑʒᵶᶎⱬ',
    aa: 'ꜳ',
    ae: 'æ',
    ao: 'ꜵ',
    au: 'ꜷ',
    av: 'ꜹꜻ',
    ay: 'ꜽ',
    hv: 'ƕ',
    ll: 'ỻ',
    oe: 'œ',
    oo: 'ꝏ',
    ou: 'ȣ',
    th: 'þꝥꝧ',
    tz: 'ꜩ',
    ue: 'ᵫ',
    vy: 'ꝡ',
  }).flatMap(([written, letters]) => Array.from(letters, (letter) => [letter, written] as const)),
)

/** Ranges that contain these letters, among others. */
const UNDECOMPOSED = /[\u00e6-\u02a0\u1d6b-\u1d99\u1e9c-\u1eff\u2c61-\u2c7a\ua729-\ua7b9\uab34-\uab5a]/g

/** Folds each text only once, for texts that are used several times. */
export function foldingOnce(): (text: string) => string {
  const folds = new Map<string, string>()
  return (text) => {
    const known = folds.get(text)
    if (known !== undefined) return known
    const folded = fold(text)
    folds.set(text, folded)
    return folded
  }
}

/** The words of a text, folded: letters or digits, and their marks. */
export const wordsOf = (text: string): string[] => wordsIn(fold(text))

/** The words of a folded text. */
export function wordsIn(folded: string): string[] {
  const words: string[] = []
  let start = -1
  for (let index = 0, next = 0; index < folded.length; index = next) {
    const code = folded.codePointAt(index) as number
    next += code > 0xffff ? 2 : 1
    const kind = kindOf(code)
    if (start < 0 && kind >= LETTER) start = index
    if (start < 0 || kind !== OTHER) continue
    words.push(folded.slice(start, index))
    start = -1
  }
  if (start >= 0) words.push(folded.slice(start))
  return words
}

/** The words of a search, folded; `rin*` stands for every word that begins so. */
export const wordsAsked = (text: string): string[] =>
  fold(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*\*?/gu) ?? []

/** No word has an asterisk. */
export const isBeginning = (word: string): boolean => word.endsWith('*')

export const beginningOf = (word: string): string => word.slice(0, -1)
