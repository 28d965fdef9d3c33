import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProblem } from '../../src/api/problems/index.ts'
import { Problem } from '../../src/problem.ts'
import { BASE, classOf, KINDS, readerOf } from './queries.ts'

type Row = [query: string, code: string, ...said: RegExp[]]

/** Each is refused with 400, and the sentence says all of this without repeating at length what was sent. */
function refuses(table: readonly Row[], read = readerOf(classOf(KINDS, 'Kind'))): void {
  for (const [query, code, ...said] of table) {
    assert.throws(
      () => read(query),
      (error) => {
        assert.ok(error instanceof Problem, `${query}: ${error}`)
        const { status, sentence } = readProblem(error)
        assert.deepEqual([error.code, status], [code, 400], query)
        for (const pattern of said) assert.match(sentence, pattern, query)
        assert.match(sentence, /[.?]$/, query)
        assert.ok(sentence.length < 500, query)
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
    ['whole=abc', 'InvalidFilterValue', /^whole: "abc" must be an integer such as 12\.$/],
    ['whole=', 'InvalidFilterValue', /^whole: "" must be an integer/],
    ['whole=1.5', 'InvalidFilterValue', /^whole: "1\.5" must be an integer/],
    ['whole=+5', 'InvalidFilterValue', /^whole: "\+5" must be an integer/],
    ['whole=05', 'InvalidFilterValue', /^whole: "05" must be an integer/],
    ['whole=0x10', 'InvalidFilterValue', /must be an integer/],
    ['whole=%D9%A1', 'InvalidFilterValue', /^whole: "١" must be an integer/],
    ['whole=9007199254740993', 'InvalidFilterValue', /would lose digits/],
    ['whole=1e400', 'InvalidFilterValue', /would lose digits/],
    ['whole[gt]=x', 'InvalidFilterValue', /^whole\[gt\]: "x"/],
    ['whole.gt=x', 'InvalidFilterValue', /^whole\.gt: "x"/],
    ['whole.eq=x', 'InvalidFilterValue', /^whole\.eq: "x"/],
    ['text.exists=1', 'InvalidFilterValue', /^text\.exists: "1" must be true or false\.$/],
    ['natural=-1', 'InvalidFilterValue', /^natural: "-1" must be an integer that is 0 or greater/],
    [
      'positive[gte]=0',
      'InvalidFilterValue',
      /^positive\[gte\]: "0" must be an integer that is 1 or greater/,
    ],
    ['size=one', 'InvalidFilterValue', /^size: "one" must be a number such as 12\.5\.$/],
    ['size=NaN', 'InvalidFilterValue', /must be a number/],
    ['size=Infinity', 'InvalidFilterValue', /must be a number/],
    ['size=0.1000000000000000000001', 'InvalidFilterValue', /would lose digits/],
    ['small=1e39', 'InvalidFilterValue', /must be between/],
    ['price=1,5', 'InvalidFilterValue', /^price: "1,5" must be a number/],
    ['price=1e1001', 'InvalidFilterValue', /^price: "1e1001" must have at most 100 digits\.$/],
    [
      `price[lt]=${'0'.repeat(101)}`,
      'InvalidFilterValue',
      /^price\[lt\]: .* must have at most 100 digits\.$/,
    ],
    ['day=2024-02-30', 'InvalidFilterValue', /^day: "2024-02-30" must be a date/],
    ['day[lt]=2024', 'InvalidFilterValue', /^day\[lt\]: "2024" must be a date/],
    ['instant=2024-02', 'InvalidFilterValue', /must be a date and time with seconds and zone/],
    ['instant=2024-02-30', 'InvalidFilterValue', /must be a date and time with seconds and zone/],
    ['instant[gt]=2024-02-29T12:00', 'InvalidFilterValue', /must be a date and time with seconds and zone/],
    [
      'instant=2024-02-29T14:30:00%2002:00',
      'InvalidFilterValue',
      /^instant: "2024-02-29T14:30:00 02:00" must be/,
    ],
    ['flag=yes', 'InvalidFilterValue', /^flag: "yes" must be true or false\.$/],
    ['flag=1', 'InvalidFilterValue', /must be true or false/],
    ['flag=True', 'InvalidFilterValue', /must be true or false/],
    ['iri=about', 'InvalidFilterValue', /^iri: "about" must be an absolute IRI/],
    ['iri=https://example.org/a%20b', 'InvalidFilterValue', /must be an absolute IRI/],
    ['text=%00', 'InvalidFilterValue', /^text: "\\u0000" must not contain the character U\+0000/],
    ['text[startsWith]=a%00', 'InvalidFilterValue', /U\+0000/],
    ['text[contains]=%00', 'InvalidFilterValue', /U\+0000/],
    ['tags=%00', 'InvalidFilterValue', /U\+0000/],
    ['exists[text]=1', 'InvalidFilterValue', /^exists\[text\]: "1" must be true or false\.$/],
    ['exists[text]', 'InvalidFilterValue', /must be true or false/],
    [`text=${'x'.repeat(3000)}%00`, 'InvalidFilterValue', /^text: "x{100}…" must not/],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('a link is compared with the address of a member of its collection', () => {
  const right =
    /must be the address of a member of authors, such as http:\/\/localhost:8080\/api\/authors\/\{id\}/
  const meant =
    /must be the address of a member of authors; did you mean "http:\/\/localhost:8080\/api\/authors\/7"\?$/
  refuses([
    ['author=7', 'InvalidFilterValue', meant],
    ['author=https://example.org/api/authors/7', 'InvalidFilterValue', meant],
    ['author=//example.org/authors/7', 'InvalidFilterValue', meant],
    ['author=/authors/7', 'InvalidFilterValue', meant],
    ['author=/v1/authors/7', 'InvalidFilterValue', meant],
    ['author=', 'InvalidFilterValue', right],
    [`author=${BASE}/kinds/7`, 'InvalidFilterValue', right],
    [`author=${BASE}/authors`, 'InvalidFilterValue', right],
    [`author=${BASE}/authors/`, 'InvalidFilterValue', right],
    [`author=${BASE}/authors/7/8`, 'InvalidFilterValue', right],
    ['author=authors/7%00', 'InvalidFilterValue', right],
    ["author=authors/7'--", 'InvalidFilterValue', right],
    [`author=/authors/${'7'.repeat(5_000)}`, 'InvalidFilterValue', right],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('an unknown parameter is 400 that names the nearest one', () => {
  refuses([
    ['txt=a', 'UnknownParameter', /^txt: is not a parameter here; did you mean "text"\?$/],
    ['Text=a', 'UnknownParameter', /did you mean "text"\?/],
    ['order[txt]=asc', 'UnknownParameter', /did you mean "order\[text\]"\?/],
    ['exists[txt]=true', 'UnknownParameter', /did you mean "exists\[text\]"\?/],
    ['txt.exists=true', 'UnknownParameter', /did you mean "text\.exists"\?/],
    ['txt.startsWith=a', 'UnknownParameter', /did you mean "text\.startsWith"\?/],
    ['order.text=asc', 'UnknownParameter', /did you mean "order\[text\]"\?/],
    ['itemsPerpage=5', 'UnknownParameter', /did you mean "itemsPerPage"\?/],
    ['Q=a', 'UnknownParameter', /did you mean "q"\?/],
    ['__proto__.gte=1', 'UnknownParameter', /^__proto__\.gte: is not a parameter here/],
    ['constructor=1', 'UnknownParameter', /^constructor: is not a parameter here/],
    ['text[=a', 'UnknownParameter', /^text\[: is not a parameter here/],
    [
      '=a',
      'UnnamedParameter',
      /^The query has a value without the name of a parameter; possible: text, iri, /,
    ],
    [
      'zzzzzzzzzzzzzz=a',
      'UnknownParameter',
      /possible: text, iri, .* and \d+ more, which the search template/,
    ],
    [`${'x'.repeat(5000)}=1`, 'UnknownParameter', /^x{100}…: is not a parameter here/],
    [`${'x'.repeat(5000)}[${'y'.repeat(2000)}]=1`, 'UnknownParameter', /is not a parameter here/],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('an operator that does not fit is 400 that names those that do', () => {
  const equal = (name: string) => new RegExp(`can be filtered with ${name}, ${name}\\[ne\\]\\.$`)
  refuses([
    ['flag[gt]=true', 'UnknownOperator', /^flag\[gt\]: is not supported; flag /, equal('flag')],
    ['author[startsWith]=a', 'UnknownOperator', equal('author')],
    ['authors[contains]=a', 'UnknownOperator', equal('authors')],
    [
      'whole[startsWith]=1',
      'UnknownOperator',
      /can be filtered with whole, whole\[ne\], whole\[gt\], whole\[gte\], whole\[lt\], whole\[lte\]\.$/,
    ],
    ['day[contains]=2024', 'UnknownOperator', /can be filtered with day, day\[ne\], day\[gt\]/],
    [
      'text[like]=a',
      'UnknownOperator',
      /can be filtered with text, .*, text\[startsWith\], text\[contains\]\.$/,
    ],
    ['text[]=a', 'UnknownOperator', /can be filtered with text, /],
    ['flag.gt=true', 'UnknownOperator', /can be filtered with flag, flag\.ne, flag\.exists\.$/],
    ['author.startsWith=a', 'UnknownOperator', /can be filtered with author, author\.ne, author\.exists\.$/],
    ['notes.ne=a', 'NotFilterable', /notes cannot be filtered: the API file says so\.$/],
    ['address.exists=true', 'NotFilterable', /it is an embedded value\.$/],
  ])
})

// contract: ```yaml title: Library
// contract: Datatypes: string, boolean, integer
// contract: What a value means is the same on both stores
test('a property that has no index is 400 that says why', () => {
  refuses([
    ['notes=a', 'NotFilterable', /notes cannot be filtered: the API file says so\.$/],
    ['notes[ne]=a', 'NotFilterable', /notes cannot be filtered/],
    ['exists[notes]=true', 'NotFilterable', /notes cannot be filtered/],
    ['noon=12:00:00', 'NotFilterable', /values of type time are only stored and returned\.$/],
    ['span=P1D', 'NotFilterable', /values of type duration/],
    ['spoken=a', 'NotFilterable', /it is text by language; search it with "q"\.$/],
    ['address=a', 'NotFilterable', /it is an embedded value\.$/],
    ['order[notes]=asc', 'NotSortable', /cannot be sorted by notes: it cannot be filtered either\.$/],
    ['order[tags]=asc', 'NotSortable', /cannot be sorted by tags: it may have many values\.$/],
    ['sort=tags', 'NotSortable', /^sort: members cannot be sorted by tags: it may have many values\.$/],
    ['sort=-notes', 'NotSortable', /^sort: members cannot be sorted by notes/],
    ['sort=address', 'NotSortable', /^sort: members cannot be sorted by address/],
    ['sort=txt', 'UnknownSortProperty', /^sort: "txt" is not a property; did you mean "text"\?$/],
    ['sort=text,text', 'DuplicateOrder', /^sort: the query sorts by text already; name it once\.$/],
    ['sort=text,-text', 'DuplicateOrder', /^sort: the query sorts by text already/],
    ['sort=', 'UnknownSortProperty', /^sort: "" is not a property; send names/],
    ['sort=text,', 'UnknownSortProperty', /^sort: "" is not a property/],
    ['sort=%2Btext', 'UnknownSortProperty', /^sort: "\+text" is not a property/],
    ['sort=__proto__', 'UnknownSortProperty', /^sort: "__proto__" is not a property/],
    ['order[text]=up', 'InvalidSortDirection', /^order\[text\]: "up" must be asc or desc\.$/],
    ['order[text]=', 'InvalidSortDirection', /must be asc or desc/],
    ['order[text]=descending', 'InvalidSortDirection', /must be asc or desc/],
  ])
})

test('what contradicts itself, or asks for nothing, is 400', () => {
  refuses([
    [
      'sort=whole,text&order[text]=asc',
      'DuplicateOrder',
      /^order\[text\]: the query sorts by text already; name it once\.$/,
    ],
    ['order[text]=asc&sort=whole,-text', 'DuplicateOrder', /^sort: the query sorts by text already/],
    [
      'page=1&after=x',
      'ConflictingParameters',
      /^page: cannot be combined with after or before; leave one of them out\.$/,
    ],
    ['page=1&before=x', 'ConflictingParameters', /^page: cannot be combined with/],
    [
      'after=x&before=x',
      'ConflictingParameters',
      /^before: cannot be combined with after; leave one of them out\.$/,
    ],
    ['text[gt]=a&text[gt]=b', 'DuplicateParameter', /^text\[gt\]: is given more than once/],
    ['text[gt]=a&text%5Bgt%5D=b', 'DuplicateParameter', /^text\[gt\]: is given more than once/],
    ['text[gt]=a&text.gt=b', 'DuplicateParameter', /^text\.gt: is given more than once/],
    ['text.exists=true&exists[text]=true', 'DuplicateParameter', /^exists\[text\]: is given more than once/],
    ['q=a&q=b', 'DuplicateParameter', /^q: is given more than once/],
    ['order[text]=asc&order[text]=asc', 'DuplicateParameter', /^order\[text\]: is given more than once/],
    ['exists[text]=true&exists[text]=true', 'DuplicateParameter', /is given more than once/],
    ['q=', 'NoSearchWord', /^q: "" has no word in it/],
    ['q=%21%3F', 'NoSearchWord', /^q: "!\?" has no word in it/],
    ['text[contains]=', 'EmptyFilterValue', /^text\[contains\]: "" is in every text/],
    ['text=%zz', 'InvalidQueryEncoding', /"%"/],
    ['%ff=1', 'InvalidQueryEncoding', /"%"/],
    ['text=%c3', 'InvalidQueryEncoding', /"%"/],
    ['text=%ed%a0%80', 'InvalidQueryEncoding', /"%"/],
  ])
})

// contract: **Sorting**: `order[p]=asc|desc`
test('the number of values, words, conditions and orders is bounded', () => {
  const many = (count: number, part: (index: number) => string, joint = '&') =>
    Array.from({ length: count }, (_, index) => part(index)).join(joint)
  const properties = many(60, (index) => `p${index}: integer`, ', ')
  const wide = readerOf(classOf(`classes: { Wide: { properties: { ${properties} } } }`, 'Wide'))
  refuses([
    [
      many(101, (index) => `text=${index}`),
      'TooManyFilterValues',
      /^text: is given 101 times; the limit is 100\.$/,
    ],
    [`q=${many(33, String, '+')}`, 'TooManySearchWords', /^q: has 33 words; the limit is 32\.$/],
  ])
  refuses(
    [
      [many(51, (index) => `p${index}=1`), 'TooManyFilters', /51 filters; the limit is 50/],
      [many(5, (index) => `order[p${index}]=asc`), 'TooManyOrders', /5 properties; the limit is 4/],
      [`sort=${many(5, (index) => `p${index}`, ',')}`, 'TooManyOrders', /5 properties; the limit is 4/],
      ['order[p1]=asc&sort=p2,p3,p4&order[p5]=asc', 'TooManyOrders', /5 properties; the limit is 4/],
    ],
    wide,
  )
  const read = readerOf(classOf(KINDS, 'Kind'))
  assert.doesNotThrow(() => read(many(100, (index) => `text=${index}`)))
  assert.doesNotThrow(() => wide(many(50, (index) => `p${index}=1`)))
})

test('a class without a string to search has no free text', () => {
  const read = readerOf(classOf('classes: { Point: { properties: { x: integer } } }', 'Point'))
  refuses([['q=a', 'NoSearchableText', /^q: Point has no filterable text to search\.$/]], read)
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
      [
        'limit=5',
        'UnknownParameter',
        /^limit: is not a parameter here; use "itemsPerPage" for the number of members on a page\.$/,
      ],
      ['per_page=5', 'UnknownParameter', /"itemsPerPage"/],
      ['pageSize=5', 'UnknownParameter', /"itemsPerPage"/],
      ['_limit=5', 'UnknownParameter', /"itemsPerPage"/],
      ['offset=5', 'UnknownParameter', /use "page" for the number of a page, from 1/],
      ['_page=2', 'UnknownParameter', /use "page" for the number of a page, from 1/],
      ['order=height', 'UnknownParameter', /sort with "sort=name", "sort=-name" or "order\[name\]=desc"\.$/],
      ['orderBy=height', 'UnknownParameter', /"sort=name"/],
      ['_sort=height', 'UnknownParameter', /"sort=name"/],
      [
        'sort=height%20asc',
        'UnknownSortProperty',
        /^sort: "height asc" is not a property; did you mean "height"\?$/,
      ],
      ['sort=height+DESC', 'UnknownSortProperty', /did you mean "-height"\?$/],
      ['sort=height:desc', 'UnknownSortProperty', /did you mean "-height"\?$/],
      ['fields=height', 'UnknownParameter', /members are always served whole\.$/],
      [
        'filter[height]=5',
        'UnknownParameter',
        /^filter\[height\]: is not a parameter here; did you mean "height"\?$/,
      ],
      ['filter[hight]=5', 'UnknownParameter', /is not a parameter here/],
      ['filter=x', 'UnknownParameter', /filter by the name of a property/],
      [
        'customer.name=Ann',
        'FilterBeyondLink',
        /customer is a link, which is filtered by address: customer=\/customers\/\{id\}/,
      ],
      ['lines.pieces=5', 'UnfilterablePart', /lines can be filtered only by its links: lines\.product\.$/],
      ['lines=5', 'NotFilterable', /it is an embedded value\.$/],
      ['lines.product[ne]=x', 'UnfilterablePart', /lines can be filtered only by its links/],
      [
        'height.min=5',
        'UnknownOperator',
        /^height\.min: is not supported; height can be filtered with height, height\.ne, height\.gt, /,
      ],
      ['height.GTE=5', 'UnknownOperator', /can be filtered with height, .*, height\.gte, /],
      // Names of properties come first.
      ['skip=5', 'InvalidFilterValue', /^skip: "5" must be true or false/],
      [`sort=${'a+'.repeat(2_000)}asc`, 'UnknownSortProperty', /is not a property/],
      [`${'.'.repeat(5_000)}=1`, 'UnknownParameter', /is not a parameter here/],
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
      ['state=pait', 'UnknownEnumValue', /^state: "pait" is not one of its values; did you mean "paid"\?$/],
      ['state=', 'UnknownEnumValue', /^state: "" is not one of its values; possible: new, paid, sent\.$/],
      [
        'state=new&state=elsewhere',
        'UnknownEnumValue',
        /^state: "elsewhere" is not one of its values; possible: new, paid, sent\.$/,
      ],
      [
        'state[ne]=NEW',
        'UnknownEnumValue',
        /^state\[ne\]: "NEW" is not one of its values; did you mean "new"\?$/,
      ],
      ['states=sent', 'UnknownEnumValue', /^states: "sent" is not one of its values/],
      ['size=1.6', 'UnknownEnumValue', /is not one of its values/],
      ['rank=2', 'UnknownEnumValue', /is not one of its values/],
      ['rank=x', 'InvalidFilterValue', /must be an integer/],
      ['long=zzz', 'UnknownEnumValue', /possible: v0.* more\.$/],
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
