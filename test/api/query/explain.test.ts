import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE, KINDS, readerOf } from '../queries.ts'
import { refuses } from './refusals.ts'

// contract: A JSON number that would lose digits
// contract: Anything unknown or ill-typed: 400
test('a value of another type is 400 that names the parameter, the value and what would be right', () => {
  refuses([
    ['whole=abc', 'whole: InvalidFilterValue (integer)'],
    ['whole=', 'whole: InvalidFilterValue (integer)'],
    ['whole=1.5', 'whole: InvalidFilterValue (WrongDatatype integer)'],
    ['whole=+5', 'whole: InvalidFilterValue (integer)'],
    ['whole=05', 'whole: InvalidFilterValue (integer)'],
    ['whole=0x10', 'whole: InvalidFilterValue (integer)'],
    ['whole=%D9%A1', 'whole: InvalidFilterValue (integer)'],
    ['whole=9007199254740993', 'whole: InvalidFilterValue (LosesDigits integer)'],
    ['whole=1e400', 'whole: InvalidFilterValue (LosesDigits integer)'],
    ['whole[gt]=x', 'whole[gt]: InvalidFilterValue (integer)'],
    ['whole.gt=x', 'whole.gt: InvalidFilterValue (integer)'],
    ['whole.eq=x', 'whole.eq: InvalidFilterValue (integer)'],
    ['text.exists=1', 'text.exists: InvalidFilterValue (boolean)'],
    ['natural=-1', 'natural: InvalidFilterValue (WrongDatatype nonNegativeInteger)'],
    ['positive[gte]=0', 'positive[gte]: InvalidFilterValue (WrongDatatype positiveInteger)'],
    ['size=one', 'size: InvalidFilterValue (number)'],
    ['size=NaN', 'size: InvalidFilterValue (number)'],
    ['size=Infinity', 'size: InvalidFilterValue (number)'],
    ['size=0.1000000000000000000001', 'size: InvalidFilterValue (LosesDigits double)'],
    ['small=1e39', 'small: InvalidFilterValue (FloatOutOfRange)'],
    ['price=1,5', 'price: InvalidFilterValue (number)'],
    ['price=1e1001', 'price: InvalidFilterValue (TooManyDigits)'],
    [`price[lt]=${'0'.repeat(101)}`, 'price[lt]: InvalidFilterValue (TooManyDigits)'],
    ['day=2024-02-30', 'day: InvalidFilterValue (WrongDatatype date)'],
    ['day[lt]=2024', 'day[lt]: InvalidFilterValue (WrongDatatype date)'],
    ['instant=2024-02', 'instant: InvalidFilterValue (WrongDatatype dateTime)'],
    ['instant=2024-02-30', 'instant: InvalidFilterValue (WrongDatatype dateTime)'],
    ['instant[gt]=2024-02-29T12:00', 'instant[gt]: InvalidFilterValue (WrongDatatype dateTime)'],
    ['instant=2024-02-29T14:30:00%2002:00', 'instant: InvalidFilterValue (WrongDatatype dateTime)'],
    ['flag=yes', 'flag: InvalidFilterValue (boolean)'],
    ['flag=1', 'flag: InvalidFilterValue (boolean)'],
    ['flag=True', 'flag: InvalidFilterValue (boolean)'],
    ['iri=about', 'iri: InvalidFilterValue (WrongDatatype anyURI)'],
    ['iri=https://example.org/a%20b', 'iri: InvalidFilterValue (WrongDatatype anyURI)'],
    ['text=%00', 'text: InvalidFilterValue (NulCharacter)'],
    ['text[startsWith]=a%00', 'text[startsWith]: InvalidFilterValue (NulCharacter)'],
    ['text[contains]=%00', 'text[contains]: InvalidFilterValue (NulCharacter)'],
    ['tags=%00', 'tags: InvalidFilterValue (NulCharacter)'],
    ['exists[text]=1', 'exists[text]: InvalidFilterValue (boolean)'],
    ['exists[text]', 'exists[text]: InvalidFilterValue (boolean)'],
    [`text=${'x'.repeat(3000)}%00`, 'text: InvalidFilterValue (NulCharacter)'],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('a link is compared with the address of a member of its collection', () => {
  const link = 'author: InvalidFilterValue (InvalidLink)'
  const right = `${BASE}/authors/{id}`
  const meant = `"${BASE}/authors/7"`
  refuses([
    ['author=7', link, right, `if "7" is its id, send ${meant}`],
    ['author=Tolkien', link, right, 'if "Tolkien" is its id'],
    ['author=J.%20R.%20R.%20Tolkien', link, right],
    ['author=https://example.org/api/authors/7', link, `did you mean ${meant}?`],
    ['author=//example.org/authors/7', link, meant],
    ['author=/authors/7', link, meant],
    ['author=/v1/authors/7', link, meant],
    ['author=', link, right],
    [`author=${BASE}/kinds/7`, link, right],
    [`author=${BASE}/authors`, link, right],
    [`author=${BASE}/authors/`, link, right],
    [`author=${BASE}/authors/7/8`, link, right],
    ['author=authors/7%00', link, right],
    ["author=authors/7'--", link, right],
    [`author=/authors/${'7'.repeat(5_000)}`, link, right],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('an unknown parameter is 400 that names the nearest one', () => {
  refuses([
    ['txt=a', 'txt: UnknownParameter', '"text"'],
    ['Text=a', 'Text: UnknownParameter', '"text"'],
    ['order[txt]=asc', 'order[txt]: UnknownParameter', '"order[text]"'],
    ['exists[txt]=true', 'exists[txt]: UnknownParameter', '"exists[text]"'],
    ['txt.exists=true', 'txt.exists: UnknownParameter', '"text.exists"'],
    ['txt.startsWith=a', 'txt.startsWith: UnknownParameter', '"text.startsWith"'],
    ['order.text=asc', 'order.text: UnknownParameter', '"order[text]"'],
    ['whole>=500', 'whole>: UnknownParameter', '"whole.gte"'],
    ['whole>500', 'whole>500: UnknownParameter', '"whole.gt"'],
    ['whole%3C%3D5', 'whole<=5: UnknownParameter', '"whole.lte"'],
    ['whole<=5', 'whole<: UnknownParameter', '"whole.lte"'],
    ['text!=a', 'text!: UnknownParameter', '"text.ne"'],
    ['itemsPerpage=5', 'itemsPerpage: UnknownParameter', '"itemsPerPage"'],
    ['Q=a', 'Q: UnknownParameter', '"q"'],
    ['__proto__.gte=1', '__proto__.gte: UnknownParameter'],
    ['constructor=1', 'constructor: UnknownParameter'],
    ['text[=a', 'text[: UnknownParameter'],
    ['=a', 'UnnamedParameter', 'text, iri'],
    ['zzzzzzzzzzzzzz=a', 'zzzzzzzzzzzzzz: UnknownParameter', 'text, iri'],
    [`${'x'.repeat(5000)}=1`, `${'x'.repeat(100)}…: UnknownParameter`],
    [`${'x'.repeat(5000)}[${'y'.repeat(2000)}]=1`, `${'x'.repeat(100)}…: UnknownParameter`],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('an operator that does not fit is 400 that names those that do', () => {
  refuses([
    ['flag[gt]=true', 'flag[gt]: UnknownOperator', 'flag, flag[ne]'],
    ['author[startsWith]=a', 'author[startsWith]: UnknownOperator', 'author, author[ne]'],
    ['authors[contains]=a', 'authors[contains]: UnknownOperator', 'authors, authors[ne]'],
    [
      'whole[startsWith]=1',
      'whole[startsWith]: UnknownOperator',
      'whole, whole[ne], whole[gt], whole[gte], whole[lt], whole[lte]',
    ],
    ['day[contains]=2024', 'day[contains]: UnknownOperator', 'day, day[ne], day[gt]'],
    ['text[regex]=a', 'text[regex]: UnknownOperator', 'text', 'text[startsWith], text[contains]'],
    ['text[]=a', 'text[]: UnknownOperator', 'text'],
    ['flag.gt=true', 'flag.gt: UnknownOperator', 'flag, flag.ne, flag.exists'],
    ['author.startsWith=a', 'author.startsWith: UnknownOperator', 'author, author.ne, author.exists'],
    ['notes.ne=a', 'notes.ne: NotFilterable (apiFile)'],
    ['address.exists=true', 'address.exists: NotFilterable (embedded)'],
  ])
})

// contract: Anything unknown or ill-typed: 400
test('a misspelt operator is 400 that names the nearest one', () => {
  refuses([
    ['text.startswith=a', 'text.startswith: UnknownOperator', 'did you mean "text.startsWith"?'],
    ['text[startswith]=a', 'text[startswith]: UnknownOperator', 'did you mean "text[startsWith]"?'],
    ['text.contain=a', 'text.contain: UnknownOperator', 'did you mean "text.contains"?'],
    ['text.exist=true', 'text.exist: UnknownOperator', 'did you mean "text.exists"?'],
    ['whole.GTE=1', 'whole.GTE: UnknownOperator', 'did you mean "whole.gte"?'],
    ['whole.ge=1', 'whole.ge: UnknownOperator', 'did you mean "whole.gte"?'],
    ['whole.le=1', 'whole.le: UnknownOperator', 'did you mean "whole.lte"?'],
    ['whole.neq=1', 'whole.neq: UnknownOperator', 'did you mean "whole.ne"?'],
    ['or[a][whole.lteq]=1', 'or[a][whole.lteq]: UnknownOperator', 'did you mean "or[a][whole.lte]"?'],
    ['whole.min=1', 'whole.min: UnknownOperator', 'can be filtered with whole, whole.ne'],
    ['whole[like]=1', 'whole[like]: UnknownOperator', 'can be filtered with whole, whole[ne]'],
    [`text.${'x'.repeat(5_000)}=a`, `text.${'x'.repeat(95)}…: UnknownOperator`],
  ])
})

// contract: ```yaml title: Library
// contract: Datatypes: string, boolean, integer
// contract: What a value means is the same on both stores
test('a property that has no index is 400 that says why', () => {
  refuses([
    ['notes=a', 'notes: NotFilterable (apiFile)'],
    ['notes[ne]=a', 'notes[ne]: NotFilterable (apiFile)'],
    ['exists[notes]=true', 'exists[notes]: NotFilterable (apiFile)'],
    ['noon=12:00:00', 'noon: NotFilterable (datatype)'],
    ['span=P1D', 'span: NotFilterable (datatype)'],
    ['spoken=a', 'spoken: NotFilterable (textByLanguage)'],
    ['address=a', 'address: NotFilterable (embedded)'],
    ['order[notes]=asc', 'order[notes]: NotSortable (unfilterable)'],
    ['order[tags]=asc', 'order[tags]: NotSortable (many)'],
    ['sort=tags', 'sort: NotSortable (many)'],
    ['sort=-notes', 'sort: NotSortable (unfilterable)'],
    ['sort=address', 'sort: NotSortable (unfilterable)'],
    ['sort=txt', 'sort: UnknownSortProperty', '"text"'],
    ['sort=text,text', 'sort: DuplicateOrder'],
    ['sort=text,-text', 'sort: DuplicateOrder'],
    ['sort=', 'sort: UnknownSortProperty'],
    ['sort=text,', 'sort: UnknownSortProperty'],
    ['sort=%2Btext', 'sort: UnknownSortProperty'],
    ['sort=__proto__', 'sort: UnknownSortProperty'],
    ['order[text]=up', 'order[text]: InvalidSortDirection'],
    ['order[text]=', 'order[text]: InvalidSortDirection'],
    ['order[text]=descending', 'order[text]: InvalidSortDirection'],
  ])
})

test('what contradicts itself, or asks for nothing, is 400', () => {
  refuses([
    ['sort=whole,text&order[text]=asc', 'order[text]: DuplicateOrder'],
    ['order[text]=asc&sort=whole,-text', 'sort: DuplicateOrder'],
    ['page=1&after=x', 'page: ConflictingParameters'],
    ['page=1&before=x', 'page: ConflictingParameters'],
    ['after=x&before=x', 'before: ConflictingParameters'],
    ['text[gt]=a&text[gt]=b', 'text[gt]: DuplicateParameter'],
    ['text[gt]=a&text%5Bgt%5D=b', 'text[gt]: DuplicateParameter'],
    ['text[gt]=a&text.gt=b', 'text.gt: DuplicateParameter'],
    ['text.exists=true&exists[text]=true', 'exists[text]: DuplicateParameter'],
    ['q=a&q=b', 'q: DuplicateParameter'],
    ['order[text]=asc&order[text]=asc', 'order[text]: DuplicateParameter'],
    ['exists[text]=true&exists[text]=true', 'exists[text]: DuplicateParameter'],
    ['q=', 'q: NoSearchWord'],
    ['q=%21%3F', 'q: NoSearchWord'],
    ['text[contains]=', 'text[contains]: EmptyFilterValue'],
    ['text=%zz', 'InvalidQueryEncoding'],
    ['%ff=1', 'InvalidQueryEncoding'],
    ['text=%c3', 'InvalidQueryEncoding'],
    ['text=%ed%a0%80', 'InvalidQueryEncoding'],
  ])
})

// contract: **Sorting**: `order[p]=asc|desc`
test('the number of values, words, conditions and orders is bounded', () => {
  const many = (count: number, part: (index: number) => string, joint = '&') =>
    Array.from({ length: count }, (_, index) => part(index)).join(joint)
  const properties = many(60, (index) => `p${index}: integer`, ', ')
  const wide = readerOf(`classes: { Wide: { properties: { ${properties} } } }`, 'Wide')
  refuses([
    [many(101, (index) => `text=${index}`), 'text: TooManyFilterValues', '101', '100'],
    [`q=${many(33, String, '+')}`, 'q: TooManySearchWords', '33', '32'],
  ])
  refuses(
    [
      [many(51, (index) => `p${index}=1`), 'TooManyFilters', '51', '50'],
      [many(5, (index) => `order[p${index}]=asc`), 'TooManyOrders', '5', '4'],
      [`sort=${many(5, (index) => `p${index}`, ',')}`, 'TooManyOrders', '5', '4'],
      ['order[p1]=asc&sort=p2,p3,p4&order[p5]=asc', 'TooManyOrders', '5', '4'],
    ],
    wide,
  )
  const read = readerOf(KINDS, 'Kind')
  assert.doesNotThrow(() => read(many(100, (index) => `text=${index}`)))
  assert.doesNotThrow(() => wide(many(50, (index) => `p${index}=1`)))
})

test('a class without a string to search has no free text', () => {
  const read = readerOf('classes: { Point: { properties: { x: integer } } }', 'Point')
  refuses([['q=a', 'q: NoSearchableText']], read)
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
      title: string
      kind: { type: string, enum: [new, paid] }
`
  refuses(
    [
      ['per_page=5', 'per_page: UnknownParameter (pageSize)', '"itemsPerPage"'],
      ['deleted=true', 'deleted: UnknownParameter (deleted)', '"history: true"'],
      ['pageSize=5', 'pageSize: UnknownParameter (pageSize)', '"itemsPerPage"'],
      ['_limit=5', '_limit: UnknownParameter (pageSize)', '"itemsPerPage"'],
      ['_start=5', '_start: UnknownParameter (offset)'],
      ['_page=2', '_page: UnknownParameter (page)'],
      ['order=height', 'order: UnknownParameter (order)', '"sort=height"', '"order[height]=desc"'],
      ['order=-height,skip', 'order: UnknownParameter (order)', '"sort=height"'],
      ['order=skip', 'order: UnknownParameter (order)', '"sort=skip"'],
      ['orderBy=height+desc', 'orderBy: UnknownParameter (order)', '"sort=height"'],
      ['_sort=height%3Adesc', '_sort: UnknownParameter (order)', '"sort=height"'],
      ['sort_by=customer.name', 'sort_by: UnknownParameter (order)', '"sort=customer.name"'],
      // Members cannot be sorted by these, but by others.
      ['order=lines', 'order: UnknownParameter (order)', '"sort=customer"'],
      ['order=name', 'order: UnknownParameter (order)', '"sort=customer"'],
      ['order=', 'order: UnknownParameter (order)', '"sort=customer"'],
      [`order=${'a.'.repeat(3_000)}`, 'order: UnknownParameter (order)', '"sort=customer"'],
      ['sort=height%20asc', 'sort: UnknownSortProperty', '"height"'],
      ['sort=height+DESC', 'sort: UnknownSortProperty', '"-height"'],
      ['sort=height:desc', 'sort: UnknownSortProperty', '"-height"'],
      ['select=height', 'select: UnknownParameter (fields)', '"fields"'],
      ['_embed=customer', '_embed: UnknownParameter (include)', '"include"'],
      ['filter[height]=5', 'filter[height]: UnknownParameter', '"height"'],
      ['filter[hight]=5', 'filter[hight]: UnknownParameter'],
      ['filter=x', 'filter: UnknownParameter (filter)'],
      ['lines=5', 'lines: NotFilterable (embedded)'],
      ['height.min=5', 'height.min: UnknownOperator', 'height, height.ne, height.gt'],
      ['height.GTE=5', 'height.GTE: UnknownOperator', '"height.gte"'],
      ['title.like=A', 'title.like: UnknownOperator', '"title.contains"'],
      ['title[ilike]=A', 'title[ilike]: UnknownOperator', '"title[contains]"'],
      ['title_like=A', 'title_like: UnknownParameter', '"title.contains"'],
      ['title__icontains=A', 'title__icontains: UnknownParameter', '"title.contains"'],
      ['height_ge=5', 'height_ge: UnknownParameter', '"height.gte"'],
      ['height=null', 'height: InvalidFilterValue (integer)', '.exists=false"'],
      ['height=', 'height: InvalidFilterValue (integer)', '.exists=false"'],
      ['height.ne=NULL', 'height.ne: InvalidFilterValue (integer)', '.exists=false"'],
      ['customer=null', 'customer: InvalidFilterValue (InvalidLink)', '.exists=false"'],
      ['kind=null', 'kind: UnknownEnumValue', '.exists=false"'],
      // Names of properties come first.
      ['skip=5', 'skip: InvalidFilterValue (boolean)'],
      [`sort=${'a+'.repeat(2_000)}asc`, 'sort: UnknownSortProperty'],
      [`${'.'.repeat(5_000)}=1`, `${'.'.repeat(100)}…: UnknownParameter`],
    ],
    readerOf(api, 'Order'),
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
  const read = readerOf(api, 'Order')
  refuses(
    [
      ['state=pait', 'state: UnknownEnumValue', '"paid"'],
      ['state=', 'state: UnknownEnumValue', 'new, paid, sent'],
      ['state=new&state=elsewhere', 'state: UnknownEnumValue', 'new, paid, sent'],
      ['state[ne]=NEW', 'state[ne]: UnknownEnumValue', '"new"'],
      ['states=sent', 'states: UnknownEnumValue'],
      ['size=1.6', 'size: UnknownEnumValue'],
      ['rank=2', 'rank: UnknownEnumValue'],
      ['rank=x', 'rank: InvalidFilterValue (integer)'],
      ['long=zzz', 'long: UnknownEnumValue', 'v0'],
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
