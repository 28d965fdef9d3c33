import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../../src/errors.ts'
import { BASE, classOf, KINDS, readerOf } from './queries.ts'

type Row = [query: string, ...said: RegExp[]]

/** Each is refused with 400, and the sentence says all of this without repeating at length what was sent. */
function refuses(table: readonly Row[], read = readerOf(classOf(KINDS, 'Kind'))): void {
  for (const [query, ...said] of table) {
    assert.throws(
      () => read(query),
      (error) => {
        assert.ok(error instanceof HttpError, `${query}: ${error}`)
        assert.equal(error.status, 400, query)
        for (const pattern of said) assert.match(error.message, pattern, query)
        assert.match(error.message, /[.?]$/, query)
        assert.ok(error.message.length < 500, query)
        return true
      },
      query.slice(0, 200),
    )
  }
}

// contract: A JSON number that would lose digits
// contract: Anything unknown or ill-typed: 400
test('a value of another type is 400 that names the parameter, the value and what would be right', () => {
  refuses([
    ['whole=abc', /^whole: "abc" must be an integer such as 12\.$/],
    ['whole=', /^whole: "" must be an integer/],
    ['whole=1.5', /^whole: "1\.5" must be an integer/],
    ['whole=+5', /^whole: "\+5" must be an integer/],
    ['whole=05', /^whole: "05" must be an integer/],
    ['whole=0x10', /must be an integer/],
    ['whole=%D9%A1', /^whole: "١" must be an integer/],
    ['whole=9007199254740993', /would lose digits/],
    ['whole=1e400', /would lose digits/],
    ['whole[gt]=x', /^whole\[gt\]: "x"/],
    ['whole.gt=x', /^whole\.gt: "x"/],
    ['whole.eq=x', /^whole\.eq: "x"/],
    ['text.exists=1', /^text\.exists: "1" must be true or false\.$/],
    ['natural=-1', /^natural: "-1" must be an integer that is 0 or greater/],
    ['positive[gte]=0', /^positive\[gte\]: "0" must be an integer that is 1 or greater/],
    ['size=one', /^size: "one" must be a number such as 12\.5\.$/],
    ['size=NaN', /must be a number/],
    ['size=Infinity', /must be a number/],
    ['size=0.1000000000000000000001', /would lose digits/],
    ['small=1e39', /must be between/],
    ['price=1,5', /^price: "1,5" must be a number/],
    ['price=1e1001', /^price: "1e1001" must have at most 100 digits\.$/],
    [`price[lt]=${'0'.repeat(101)}`, /^price\[lt\]: .* must have at most 100 digits\.$/],
    ['day=2024-02-30', /^day: "2024-02-30" must be a date/],
    ['day[lt]=2024', /^day\[lt\]: "2024" must be a date/],
    ['instant=2024-02', /must be a date and time with seconds and zone/],
    ['instant=2024-02-30', /must be a date and time with seconds and zone/],
    ['instant[gt]=2024-02-29T12:00', /must be a date and time with seconds and zone/],
    ['instant=2024-02-29T14:30:00%2002:00', /^instant: "2024-02-29T14:30:00 02:00" must be/],
    ['flag=yes', /^flag: "yes" must be true or false\.$/],
    ['flag=1', /must be true or false/],
    ['flag=True', /must be true or false/],
    ['iri=about', /^iri: "about" must be an absolute IRI/],
    ['iri=https://example.org/a%20b', /must be an absolute IRI/],
    ['text=%00', /^text: "\\u0000" must not contain the character U\+0000/],
    ['text[startsWith]=a%00', /U\+0000/],
    ['text[contains]=%00', /U\+0000/],
    ['tags=%00', /U\+0000/],
    ['exists[text]=1', /^exists\[text\]: "1" must be true or false\.$/],
    ['exists[text]', /must be true or false/],
    [`text=${'x'.repeat(3000)}%00`, /^text: "x{100}…" must not/],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('a link is compared with the address of a member of its collection', () => {
  const right =
    /must be the address of a member of authors, such as http:\/\/localhost:8080\/api\/authors\/\{id\}/
  const meant =
    /must be the address of a member of authors; did you mean "http:\/\/localhost:8080\/api\/authors\/7"\?$/
  refuses([
    ['author=7', meant],
    ['author=https://example.org/api/authors/7', meant],
    ['author=//example.org/authors/7', meant],
    ['author=/authors/7', meant],
    ['author=/v1/authors/7', meant],
    ['author=', right],
    [`author=${BASE}/kinds/7`, right],
    [`author=${BASE}/authors`, right],
    [`author=${BASE}/authors/`, right],
    [`author=${BASE}/authors/7/8`, right],
    ['author=authors/7%00', right],
    ["author=authors/7'--", right],
    [`author=/authors/${'7'.repeat(5_000)}`, right],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('an unknown parameter is 400 that names the nearest one', () => {
  refuses([
    ['txt=a', /^"txt" is not a parameter here; did you mean "text"\?$/],
    ['Text=a', /did you mean "text"\?/],
    ['order[txt]=asc', /did you mean "order\[text\]"\?/],
    ['exists[txt]=true', /did you mean "exists\[text\]"\?/],
    ['txt.exists=true', /did you mean "text\.exists"\?/],
    ['txt.startsWith=a', /did you mean "text\.startsWith"\?/],
    ['order.text=asc', /did you mean "order\[text\]"\?/],
    ['itemsPerpage=5', /did you mean "itemsPerPage"\?/],
    ['Q=a', /did you mean "q"\?/],
    ['__proto__.gte=1', /^"__proto__\.gte" is not a parameter here/],
    ['constructor=1', /^"constructor" is not a parameter here/],
    ['text[=a', /"text\[" is not a parameter here/],
    ['=a', /^"" is not a parameter here; possible: text, iri, /],
    ['zzzzzzzzzzzzzz=a', /possible: text, iri, .* and \d+ more, which the search template/],
    [`${'x'.repeat(5000)}=1`, /^"x{100}…" is not a parameter here/],
    [`${'x'.repeat(5000)}[${'y'.repeat(2000)}]=1`, /is not a parameter here/],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('an operator that does not fit is 400 that names those that do', () => {
  const equal = (name: string) => new RegExp(`can be filtered with ${name}, ${name}\\[ne\\]\\.$`)
  refuses([
    ['flag[gt]=true', /^"flag\[gt\]" is not possible: /, equal('flag')],
    ['author[startsWith]=a', equal('author')],
    ['authors[contains]=a', equal('authors')],
    [
      'whole[startsWith]=1',
      /can be filtered with whole, whole\[ne\], whole\[gt\], whole\[gte\], whole\[lt\], whole\[lte\]\.$/,
    ],
    ['day[contains]=2024', /can be filtered with day, day\[ne\], day\[gt\]/],
    ['text[like]=a', /can be filtered with text, .*, text\[startsWith\], text\[contains\]\.$/],
    ['text[]=a', /can be filtered with text, /],
    ['flag.gt=true', /can be filtered with flag, flag\.ne, flag\.exists\.$/],
    ['author.startsWith=a', /can be filtered with author, author\.ne, author\.exists\.$/],
    ['notes.ne=a', /notes cannot be filtered: the API file says so\.$/],
    ['address.exists=true', /it is an embedded value\.$/],
  ])
})

// contract: ```yaml title: Library
// contract: Datatypes: string, boolean, integer
// contract: What a value means is the same on both stores
test('a property that has no index is 400 that says why', () => {
  refuses([
    ['notes=a', /notes cannot be filtered: the API file says so\.$/],
    ['notes[ne]=a', /notes cannot be filtered/],
    ['exists[notes]=true', /notes cannot be filtered/],
    ['noon=12:00:00', /values of type time are stored and returned only\.$/],
    ['span=P1D', /values of type duration/],
    ['spoken=a', /it is text by language, which "q" searches\.$/],
    ['address=a', /it is an embedded value\.$/],
    ['order[notes]=asc', /notes cannot be sorted by: it cannot be filtered either\.$/],
    ['order[tags]=asc', /tags cannot be sorted by: it may have many values\.$/],
    ['sort=tags', /^sort: tags cannot be sorted by: it may have many values\.$/],
    ['sort=-notes', /^sort: notes cannot be sorted by/],
    ['sort=address', /^sort: address cannot be sorted by/],
    ['sort=txt', /^sort: "txt" is no property; did you mean "text"\?$/],
    ['sort=text,text', /^sort: the query sorts by text already; name it once\.$/],
    ['sort=text,-text', /^sort: the query sorts by text already/],
    ['sort=', /^sort: "" is no property; give names/],
    ['sort=text,', /^sort: "" is no property/],
    ['sort=%2Btext', /^sort: "\+text" is no property/],
    ['sort=__proto__', /^sort: "__proto__" is no property/],
    ['order[text]=up', /^order\[text\]: "up" must be asc or desc\.$/],
    ['order[text]=', /must be asc or desc/],
    ['order[text]=descending', /must be asc or desc/],
  ])
})

test('what contradicts itself, or asks for nothing, is 400', () => {
  refuses([
    ['sort=whole,text&order[text]=asc', /^order\[text\]: the query sorts by text already; name it once\.$/],
    ['order[text]=asc&sort=whole,-text', /^sort: the query sorts by text already/],
    ['page=1&after=x', /^page: goes without after and before/],
    ['page=1&before=x', /^page: goes without/],
    ['after=x&before=x', /^before: goes without after/],
    ['text[gt]=a&text[gt]=b', /^text\[gt\]: given twice/],
    ['text[gt]=a&text%5Bgt%5D=b', /^text\[gt\]: given twice/],
    ['text[gt]=a&text.gt=b', /^text\.gt: given twice/],
    ['text.exists=true&exists[text]=true', /^exists\[text\]: given twice/],
    ['q=a&q=b', /^q: given twice/],
    ['order[text]=asc&order[text]=asc', /^order\[text\]: given twice/],
    ['exists[text]=true&exists[text]=true', /given twice/],
    ['q=', /^q: "" has no word in it/],
    ['q=%21%3F', /^q: "!\?" has no word in it/],
    ['text[contains]=', /^text\[contains\]: "" is in every text/],
    ['text=%zz', /"%"/],
    ['%ff=1', /"%"/],
    ['text=%c3', /"%"/],
    ['text=%ed%a0%80', /"%"/],
  ])
})

// contract: **Sorting**: `order[p]=asc|desc`
test('the number of values, words, conditions and orders is bounded', () => {
  const many = (count: number, part: (index: number) => string, joint = '&') =>
    Array.from({ length: count }, (_, index) => part(index)).join(joint)
  const properties = many(60, (index) => `p${index}: integer`, ', ')
  const wide = readerOf(classOf(`classes: { Wide: { properties: { ${properties} } } }`, 'Wide'))
  refuses([
    [many(101, (index) => `text=${index}`), /^text: given 101 times; 100 are the limit\.$/],
    [`q=${many(33, String, '+')}`, /^q: 33 words; 32 are the limit\.$/],
  ])
  refuses(
    [
      [many(51, (index) => `p${index}=1`), /51 filters; 50 are the limit/],
      [many(5, (index) => `order[p${index}]=asc`), /5 properties; 4 are the limit/],
      [`sort=${many(5, (index) => `p${index}`, ',')}`, /5 properties; 4 are the limit/],
      ['order[p1]=asc&sort=p2,p3,p4&order[p5]=asc', /5 properties; 4 are the limit/],
    ],
    wide,
  )
  const read = readerOf(classOf(KINDS, 'Kind'))
  assert.doesNotThrow(() => read(many(100, (index) => `text=${index}`)))
  assert.doesNotThrow(() => wide(many(50, (index) => `p${index}=1`)))
})

test('a class without a string to search has no free text', () => {
  const read = readerOf(classOf('classes: { Point: { properties: { x: integer } } }', 'Point'))
  refuses([['q=a', /^"q" is not possible: Point has no filterable text to search\.$/]], read)
})

// contract: Anything unknown or ill-typed: 400
test('what other APIs call a parameter is 400 that says what there is here', () => {
  const api = `
classes:
  Customer: { properties: { name: string } }
  Line: { collection: false, properties: { product: Customer, pieces: integer } }
  Order:
    properties:
      customer: Customer
      height: integer
      lines: { type: Line, many: true }
      skip: boolean
`
  refuses(
    [
      ['limit=5', /^"limit" is not possible: how many members a page has is "itemsPerPage"\.$/],
      ['per_page=5', /"itemsPerPage"/],
      ['pageSize=5', /"itemsPerPage"/],
      ['_limit=5', /"itemsPerPage"/],
      ['offset=5', /pages are "page", from 1 on/],
      ['_page=2', /pages are "page", from 1 on/],
      ['order=height', /an order is "sort=name", "sort=-name", or "order\[name\]=desc"\.$/],
      ['orderBy=height', /"sort=name"/],
      ['_sort=height', /"sort=name"/],
      ['sort=height%20asc', /^sort: "height asc" is no property; did you mean "height"\?$/],
      ['sort=height+DESC', /did you mean "-height"\?$/],
      ['sort=height:desc', /did you mean "-height"\?$/],
      ['fields=height', /members are always served whole\.$/],
      ['filter[height]=5', /^"filter\[height\]" is not possible: write "height" alone\.$/],
      ['filter[hight]=5', /is not a parameter here/],
      ['filter=x', /a filter is the name of a property/],
      [
        'customer.name=Ann',
        /customer is a link, and the filter is by its address: customer=\/customers\/\{id\}/,
      ],
      ['lines.pieces=5', /lines can be filtered by its links alone: lines\.product\.$/],
      ['lines=5', /it is an embedded value\.$/],
      ['lines.product[ne]=x', /lines can be filtered by its links alone/],
      [
        'height.min=5',
        /^"height\.min" is not possible: height can be filtered with height, height\.ne, height\.gt, /,
      ],
      ['height.GTE=5', /can be filtered with height, .*, height\.gte, /],
      // Names of properties come first.
      ['skip=5', /^skip: "5" must be true or false/],
      [`sort=${'a+'.repeat(2_000)}asc`, /is no property/],
      [`${'.'.repeat(5_000)}=1`, /is not a parameter here/],
    ],
    readerOf(classOf(api, 'Order')),
  )
})

// contract: A value outside an `enum` is ill-typed.
test('a value outside an enum is 400 with the nearest, where a whole value is asked for', () => {
  const many = Array.from({ length: 500 }, (_, index) => `v${index}`.repeat(10)).join(', ')
  const api = `
classes:
  Order:
    properties:
      state: { type: string, enum: [new, paid, sent] }
      states: { type: string, many: true, enum: [new, paid] }
      size: { type: decimal, enum: ["1.50", "2"] }
      rank: { type: integer, enum: [1, 5] }
      long: { type: string, enum: [${many}] }
`
  const read = readerOf(classOf(api, 'Order'))
  refuses(
    [
      ['state=pait', /^state: "pait" is none of its values; did you mean "paid"\?$/],
      ['state=', /^state: "" is none of its values; possible: new, paid, sent\.$/],
      [
        'state=new&state=elsewhere',
        /^state: "elsewhere" is none of its values; possible: new, paid, sent\.$/,
      ],
      ['state[ne]=NEW', /^state\[ne\]: "NEW" is none of its values; did you mean "new"\?$/],
      ['states=sent', /^states: "sent" is none of its values/],
      ['size=1.6', /is none of its values/],
      ['rank=2', /is none of its values/],
      ['rank=x', /must be an integer/],
      ['long=zzz', /possible: v0.*…\.$/],
    ],
    read,
  )
  for (const query of [
    'state=new',
    'state[ne]=sent',
    'size=1.5',
    'size=2.00',
    'rank[gte]=3',
    'state[startsWith]=p',
  ])
    assert.doesNotThrow(() => read(query), query)
})
