// The problems of an API file, of an access file beside it, and of custom operations.
import type { JsonProblems } from '../json.ts'
import type { LinkedDataProblems } from './json-ld.ts'
import type { AccountRules, DatatypeName, Operation } from './model.ts'
import type { ConstraintProblems } from './problems.ts'

/** A part of a file that maps names to values. */
export type FilePart =
  | { readonly kind: 'file' | 'access file' | 'classes' | 'access' | 'accounts' | 'webhook' }
  /** `class rules`: a class of the access file. */
  | { readonly kind: 'class' | 'class rules' | 'properties'; readonly className: string }
  | { readonly kind: 'property'; readonly className: string; readonly property: string }

/** How the path of a class can be changed: by its name, by its key `collection`, or in a document by a link to it. */
export type PathRemedy = 'name' | 'collection' | 'link'

/** Values that cannot be compared: embedded objects, and text by language. */
export type KeylessKind = 'embedded' | 'languages'

/** A property, or a class: `kind` says which. */
interface Renamed {
  readonly kind: 'class' | 'property'
  readonly name: string
  readonly formerName: string
}

interface Brackets {
  readonly opening: string
  readonly closing: string
}

/** `meant`: the name of a file beside it. */
type MissingFile = { readonly meant?: string }
type WithName = { readonly name: string }
type OfClass = { readonly className: string }
type NamedLink = { readonly className: string; readonly property: string }

/** Problems of a file as a whole, and of its syntax. */
export interface SyntaxProblems {
  NoSuchApiFile: MissingFile
  /** An access file, or a list of webhooks. */
  NoSuchFile: MissingFile
  ApiFileIsFolder: object
  /** `systemCode` is that of the error, such as `EACCES`; `reason`: the message of the system. */
  UnreadableApiFile: { readonly systemCode: string; readonly reason: string }
  UnknownFileEnding: { readonly ending: string; readonly known: readonly string[] }
  LongFormAsJson: object
  EmptyApiFile: object
  EmptyAccessFile: object
  EmptyWebhooksFile: object
  /** What the problems below do not say. `reason`: the message of the parser. */
  InvalidYaml: { readonly reason: string }
  UnevenIndentation: object
  /** The value of the line above would go on in this line. */
  ContinuedValue: object
  TabAsIndentation: object
  SecondColon: object
  MissingColon: object
  /** `value`: what follows the colon, a text or the bracket with which it begins. */
  MissingSpace: { readonly name: string; readonly value: string }
  MissingComma: object
  EmptyEntry: object
  MisplacedElement: object
  UnclosedBracket: Brackets
  UnopenedBracket: Brackets
  UnclosedQuote: { readonly quote: string }
  TextAfterQuote: object
  JoinedComment: object
  UnknownEscape: object
  SpecialStart: { readonly character: string }
  SecondDocument: object
  /** A regular expression has characters that mean something else to YAML. `pattern`: as the file has it. */
  UnquotedPattern: { readonly pattern: string }
  /** An alias of YAML, or a tag. */
  AliasNotPossible: WithName
  TagNotPossible: WithName
  NotAMap: { readonly within: FilePart }
  NameNotText: { readonly within: FilePart }
  UnknownKey: { readonly name: string; readonly known: readonly string[]; readonly within: FilePart }
  RepeatedKey: { readonly name: string; readonly within: FilePart }
  NotAText: WithName
  NotAFlag: WithName
  RelativeIri: { readonly iri: string }
}

/** Problems of classes and properties in the short form. */
export interface ShortFormProblems {
  PropertiesOutsideClass: object
  /** A key of a class whose value looks like a property. */
  PropertyAmongKeys: NamedLink
  NoClass: object
  InvalidCollection: object
  OperationsNotAList: OfClass
  /** `name`: undefined if the file does not have a text there. */
  UnknownOperation: { readonly name: string | undefined; readonly known: readonly string[] }
  DuplicateOperation: OfClass & { readonly operation: Operation }
  /** `element`: the first text of a list, if the file has a list there. */
  NotAProperty: OfClass & { readonly property: string; readonly element: string | undefined }
  MissingType: OfClass & { readonly property: string; readonly known: readonly string[] }
  ListAsType: object
  UnknownType: { readonly type: string; readonly known: readonly string[] }
  /** The first class embeds the second, and so on until the last, which is the first again. */
  EmbeddingCycle: { readonly cycle: readonly string[] }
  EmbeddedTooDeep: object
  RequiredNotWritable: WithName
  /** `type`: a datatype, or the name of a class. */
  UnfitConstraint: {
    readonly constraint: string
    readonly range: 'datatype' | 'link' | 'embedded'
    readonly type: string
  }
  DuplicateChoice: { readonly value: unknown }
  EmptyDefault: object
  /** `kind`: undefined for a link; `word`: the only default that the property can have. */
  NoDefaultPossible: {
    readonly name: string
    readonly kind: KeylessKind | undefined
    readonly word: string | undefined
  }
  RequiredUserDefault: WithName
  /** A word of another schema language; `meant`: `now`, `user`, or an id, which every member has. */
  ForeignDefault: {
    readonly value: string
    readonly datatype: DatatypeName
    readonly meant: 'now' | 'user' | 'id'
  }
  AlwaysWritable: WithName
  AlwaysAndDefault: WithName
  /** `word`: the only one that fits the type; undefined if none does. */
  AlwaysUnfit: {
    readonly name: string
    readonly type: string
    readonly many: boolean
    readonly word: string | undefined
  }
  /** `type`: a datatype, or the name of a class that is embedded. */
  RemovalRuleUnfit: { readonly type: string }
  /** `word` is undefined for what is not a string. */
  UnknownRemovalRule: { readonly word: string | undefined; readonly known: readonly string[] }
  UnsetRequired: object
  ReverseUnfit: { readonly type: string }
  NoExamplePossible: WithName
  UnitUnfit: { readonly type: string }
  UniqueNotAList: OfClass
  InvalidHistoryRule: object
  HistoryOfEmbedded: OfClass
  LabelNotNames: OfClass
  DefaultNotAList: WithName
  DefaultIsAList: WithName
}

/** Problems of roles and access rules. */
export interface AccessProblems {
  InvalidRole: object
  ReservedRole: { readonly role: string }
  DuplicateRole: { readonly role: string }
  /** Both the API file and the access file have rules: for this class, or for all. */
  RulesTwice: { readonly className: string | undefined }
  AccountsTwice: object
  RulesOfEmbedded: OfClass
  RuleWithoutOperation: { readonly operation: string }
  /** `name`: undefined if the file does not have a text there. */
  UnknownGrantee: { readonly name: string | undefined; readonly known: readonly string[] }
  NoGrantee: object
  NobodyAndOthers: object
  NoOwnerOfSingle: OfClass
  OwnerCannotCreate: { readonly collection: string | undefined }
  /** `who`: a role, `everyone` or `owner`. */
  ChangeWithoutRead: {
    readonly who: string
    readonly operations: readonly Operation[]
    readonly what: string
  }
  /** A path that leads elsewhere, or nowhere. */
  PathWithoutAccounts: {
    readonly path: string
    readonly className: string
    readonly known: readonly string[]
  }
  PathNotFilterable: WithName & { readonly path: string }
  /** A rule for all classes has a path that this class does not have. */
  PathNotInClass: { readonly path: string; readonly className: string }
  PathOfSingle: OfClass
  AnyoneOnlyReads: object
  /** `who` as in `ChangeWithoutRead`. */
  WriteWithoutView: WithName & { readonly who: string }
  RequiredUnwritable: WithName & { readonly who: string }
  LabelHidden: WithName & { readonly who: string }
  /** A rule of a property within embedded values. */
  RuleWithinEmbedded: WithName & OfClass
  /** In `accounts`: roles manage, so that one of them can be the last; everyone renames, or nobody. */
  AccountRuleUnfit: { readonly rule: keyof AccountRules; readonly who: string }
}

/** Conflicts between parts of a model, and names that cannot be served, in both forms. */
export interface ConflictProblems {
  InvalidClassName: WithName
  ReservedClassName: WithName
  DuplicateClass: WithName
  /** The collection class of `owner` has this name. */
  CollectionClassName: { readonly name: string; readonly owner: string }
  PathTaken: OfClass & { readonly path: string; readonly other: string; readonly remedy: PathRemedy }
  ReservedPath: OfClass & { readonly path: string; readonly remedy: PathRemedy }
  InvalidPath: { readonly path: string }
  DuplicateClassIri: OfClass & { readonly other: string }
  FormerNameInUse: Renamed
  DuplicateFormerName: Renamed & { readonly other: string }
  ListOfSingle: OfClass
  NestedTooDeep: OfClass & { readonly maxLevels: number }
  TooManyTerms: OfClass & { readonly maxTerms: number }
  UnusedClass: OfClass
  InvalidPropertyName: WithName
  KeywordAsName: WithName
  UnprocessableName: WithName
  DuplicateProperty: WithName
  IriOfType: WithName
  DuplicatePropertyIri: { readonly name: string; readonly other: string }
  SchemeIsProperty: { readonly name: string; readonly scheme: string }
  ManyLanguageMaps: WithName
  MultilineUnfit: WithName
  UniqueList: WithName
  UniqueWithoutKey: { readonly name: string; readonly kind: KeylessKind }
  UniqueWithoutCollection: OfClass & WithName
  UniqueTogetherWithoutCollection: OfClass
  /** `names`: one, or the same twice. */
  UniqueTogetherTooFew: { readonly names: readonly string[] }
  /** `on`: the key that names the property. */
  NoSuchProperty: {
    readonly on: 'unique' | 'label'
    readonly name: string
    readonly known: readonly string[]
  }
  LabelUnfit: { readonly name: string; readonly kind: 'embedded' | 'many' }
  NotFilterable: { readonly name: string; readonly kind: KeylessKind | DatatypeName | undefined }
  /** `lacking`: why the members of the class cannot be listed by this link. */
  ReverseUnlisted: OfClass & WithName & { readonly lacking: 'collection' | 'list' | 'filter' }
  /** `name`: the name that `target` has already; `link`: the link that has given it, if it is not a property. */
  ReverseTaken: { readonly name: string; readonly target: string; readonly link?: NamedLink }
}

/** Problems of the long form, a Hydra ApiDocumentation. */
export interface DocumentProblems {
  DocumentTooLong: { readonly maxMebibytes: number }
  NotADocument: object
  SeveralDocumentations: { readonly count: number }
  NoDocumentation: object
  NoServedClass: object
  UnnamableClass: object
  RelativeClassIri: { readonly iri: string }
  RelativePropertyIri: { readonly iri: string }
  /** The collection of a property, or a class of collections. */
  UnknownMemberClass: { readonly of: 'property' | 'class' }
  SeveralRanges: { readonly count: number }
  /** `name`: the last part of the IRI; `known`: of the same namespace. */
  UnknownRange: { readonly iri: string; readonly name: string; readonly known: readonly string[] }
  PatternWithFlags: object
  SeveralDefaults: object
}

/** Problems of custom operations. */
export interface OperationProblems {
  NotAStoredClass: { readonly name: string; readonly known: readonly string[] }
  InvalidOperationName: object
  ReservedOperationName: WithName
  OperationIsProperty: OfClass & WithName
  UnknownOperationKey: { readonly name: string; readonly known: readonly string[] }
  NoHandler: object
  TransactionNotBoolean: object
  OperationKeyNotText: { readonly key: 'title' | 'expects' | 'returns' }
  UnknownClass: {
    readonly key: 'expects' | 'returns'
    readonly name: string
    readonly known: readonly string[]
  }
}

/** All problems for which an API file is refused. */
export interface ApiFileProblems
  extends SyntaxProblems,
    ShortFormProblems,
    AccessProblems,
    ConflictProblems,
    DocumentProblems,
    OperationProblems,
    ConstraintProblems,
    LinkedDataProblems,
    JsonProblems {}

/** Notes about parts that were added to an API file. */
export interface CompletedNotes {
  TitleFromFile: { readonly title: string }
  CollectionFromName: OfClass & { readonly collection: string }
  AllOperations: OfClass & { readonly operations: readonly Operation[] }
  NoAccessInDocument: object
  NoDocumentTitle: { readonly title: string }
  UntypedDocumentation: object
  NoEntryPoint: object
  UnlistedClass: object
  ServedUnderName: { readonly written: string; readonly name: string }
  NoClassTitle: WithName
  CollectionClassRenamed: WithName
  UnservedLink: OfClass
  NoOperations: object
  NoRead: object
  ServedAsSingle: OfClass
  CreatedByPut: object
  NoCollectionClass: OfClass
  NoLinkFromEntryPoint: object
  PathFromName: { readonly path: string }
  ExpectsOtherClass: OfClass & { readonly other: string }
  NoOperationTitle: { readonly methods: readonly string[] }
  NoReturns: { readonly methods: readonly string[] }
  SharedIri: { readonly other: string }
  NeverFilled: object
  RangeFromProperty: OfClass
  NoRange: { readonly datatype: DatatypeName }
  ServedAsDatatype: { readonly iri: string; readonly datatype: DatatypeName }
  AnyResource: object
}

/** Notes about parts of an API file that can be served, but were perhaps not meant. */
export interface DoubtfulNotes {
  /** `typed`: keys of the class whose text is the name of a type. */
  NoProperties: OfClass & { readonly typed: readonly string[] }
}

/** Notes about parts of a document that were ignored. */
export interface IgnoredNotes {
  UnusedClassIgnored: object
  /** `more`: how many others there are. */
  UnknownTerms: { readonly names: readonly string[]; readonly more: number }
  /** `where`: the name of the node with the term, if it has one. */
  UnknownHydraTerm: {
    readonly term: string
    readonly where: string | undefined
    readonly known: readonly string[]
  }
  Inheritance: { readonly iri: string }
  FurtherCollection: OfClass & { readonly path: string }
  SearchTemplate: object
  LinkToNoClass: object
  OperationWithoutMethod: object
  MethodOfCollection: { readonly method: string }
  UnknownMethod: {
    readonly method: string
    readonly target: 'collection' | 'member'
    readonly known: readonly string[]
  }
  OperationOfProgram: object
  NotReadable: object
  RequiredIgnored: object
  UncheckedConstraint: WithName
  DefaultIgnored: object
  /** A value of a term of ours that does not suit the property. */
  OwnTermIgnored: { readonly term: 'always' | 'onDelete' | 'reverseOf'; readonly value: string }
}

/** One of the problems of a file, without its place. */
export type FileProblem = {
  readonly [Code in keyof ApiFileProblems]: {
    readonly code: Code
    readonly values: ApiFileProblems[Code]
  }
}[keyof ApiFileProblems]
