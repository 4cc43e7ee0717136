import type { TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import { isMaskedKind, type MaskedKind, type PersonalKind } from '../text/personal.ts';
import type { LocalizedText } from '../text/text.ts';
import type { Condition } from './condition.ts';
import type { Transition } from './states.ts';

/** Types of field widget; each has an input control and a display. */
export type Widget =
  | 'text'
  | 'textarea'
  | 'number'
  | 'money'
  | 'choice'
  | 'flag'
  | 'dictionary'
  | 'reference'
  | 'parent'
  | 'date-time'
  | 'date'
  | 'time'
  | 'period'
  | 'email'
  | 'phone'
  | 'url'
  | 'image'
  | 'attachment'
  | 'rich-text'
  | 'code'
  | 'cron'
  | 'secret';

/** A stored value and its label. */
export type Option<Value extends string | number = string | number> = readonly [value: Value, title: LocalizedText];

/** Source of the options of a reference field: the path of a call that reads, and how to interpret its reply. */
export interface ReferenceSource {
  readonly path: string;
  /** Entity of the referenced rows; undefined where the call answers something other than rows. */
  readonly entity?: string;
  /** Field of that entity whose value is stored; defaults to `id`. */
  readonly entityField?: string;
  /** Constant parameters of the call. */
  readonly input?: Readonly<Record<string, string | number>>;
  /** Names in `input` that are filters of a list: they limit what is offered, and the look-up of stored values goes without them. */
  readonly filters?: readonly string[];
  /** Parameters of the call that are read from other fields of the form: `{ deptId: 'department' }`. */
  readonly inputFrom?: Readonly<Record<string, string>>;
  /** Shape of the reply: rows (of a `Page` when the call is paged), a complete tree, or a tree whose branches are loaded on demand. */
  readonly shape: 'rows' | 'tree' | 'lazy-tree';
  /** True to select from the tree in cascading columns, one per level. */
  readonly cascades?: boolean;
  /** True to show the complete tree in the form with check boxes. */
  readonly checks?: boolean;
  /** Names of the reply's fields that hold the stored value and the label. */
  readonly value: string;
  readonly title: string;
  /** Parameter for the text the user types, such as `name_match` of a list, which also finds pinyin; without one the console searches the loaded reply. */
  readonly search?: string;
  /**
   * Parameter that takes several stored values, separated by commas; the call then returns only their rows. Defaults to `ids` for a call that answers a page with ids.
   */
  readonly lookup?: string;
  /** True for a call that answers page by page. */
  readonly paged?: boolean;
  /** Parameter of a lazy tree for the branch to expand. */
  readonly branch?: string;
}

/** Returns the constant parameters for the look-up of stored values, whose rows may have left what is offered. */
export const lookupInput = ({ input = {}, filters = [] }: ReferenceSource): Readonly<Record<string, string | number>> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !filters.includes(name)));

/** Presentation of a field: the keyword `field` of its JSON Schema, used by columns, filters, forms and messages. */
export interface FieldTraits {
  readonly title: LocalizedText;
  readonly widget: Widget;
  /** True to show the field in the search area and to accept it as a filter, with the suffixes of the wire format. */
  readonly search?: boolean;
  /** True to accept the field as a filter without showing it in the search area. */
  readonly filter?: boolean;
  /** True to accept the field in `ascs` and `descs`; every sortable field needs an index. */
  readonly sort?: boolean;
  /** Total of the column below the table: sum and average, or the average alone. Money has both by default, other numbers have none. */
  readonly total?: boolean | 'average';
  /** False to omit the field from the table. */
  readonly list?: boolean;
  /** Field with the English text, which lists show instead of this one where they are read in English and it is not empty. */
  readonly englishIn?: string;
  /** False for a field that the server sets and no form contains. */
  readonly form?: boolean;
  readonly options?: readonly Option[];
  readonly placeholder?: LocalizedText;
  /** Help text below the control. */
  readonly help?: LocalizedText;
  /** Suggested values, offered while the user types; any other value can be entered. */
  readonly suggestions?: readonly SuggestedValue[];
  /** Path of a call that answers suggestions, with parameters read from other fields. */
  readonly suggestFrom?: { readonly path: string; readonly inputFrom?: Readonly<Record<string, string>> };
  /** Of a select: a call that answers which options are unavailable and why, given the values of other fields: `{ value, reason }[]`. */
  readonly unavailableFrom?: {
    readonly path: string;
    readonly input?: Readonly<Record<string, string>>;
    readonly inputFrom?: Readonly<Record<string, string>>;
  };
  /** True to let the user clear a field that has a default. The form then refuses the empty value, and the server refuses `null`. */
  readonly clearable?: boolean;
  /** Field that receives the title of the selected suggestion, unless the user has entered another. */
  readonly titleInto?: string;
  /** Heading under which a form groups the field with its neighbours of the same heading. */
  readonly group?: LocalizedText;
  /** True for a field that forms show in a folded section at their end, which opens if one of its fields has another value than its default or an error. */
  readonly advanced?: boolean;
  /** Of a text: a call that answers the schema of the JSON object in it. The control of the page receives the values of these fields as its `callInput`. */
  readonly schemaFrom?: { readonly path: string; readonly inputFrom: Readonly<Record<string, string>> };
  /** Condition under which the field exists; otherwise it is hidden and stored as null. Requires `Nullable` or a default. */
  readonly visible?: Condition;
  /** True to keep the value while `visible` does not hold. */
  readonly keepWhenHidden?: boolean;
  /** Other spellings of values that requests can use, by their lower-case text: `{ 0: 1 }`. */
  readonly aliases?: Readonly<Record<string, string | number | boolean>>;
  /** Condition under which the field is required. Requires `Nullable`. */
  readonly requiredWhen?: Condition;
  /** Message for a parameter that must not be sent; it says what to send instead. */
  readonly refused?: LocalizedText;
  /** True for a field that is set on insert and never changed. */
  readonly immutable?: boolean;
  /** Alternative controls, each used while its condition holds; with `options` the value must then be one of them. */
  readonly controlWhen?: readonly { readonly when: Condition; readonly widget: Widget; readonly options?: readonly Option[] }[];
  /** Comparison of the search area, where it differs from the default of the widget; `between` shows fields for minimum and maximum. */
  readonly compare?: 'like' | 'likeleft' | 'likeright' | 'equal' | 'notequal' | 'ge' | 'le' | 'gt' | 'lt' | 'between';
  /** True for the end of a period: a date without a time of day stands for its last second. */
  readonly endOfDay?: boolean;
  /** True to refuse a new or changed value that is in the past. */
  readonly notPast?: boolean;
  /** True to give the field a full row of the form. */
  readonly wide?: boolean;
  /** Unit of a number: `['秒', 's']`. */
  readonly unit?: LocalizedText;
  /** Fields that are multiplied to compute this field. The server computes it, and forms show the product while the user types. */
  readonly computedFrom?: readonly string[];
  /** True for a copy of a field of the row that this one belongs to; data scopes limit rows by the original. */
  readonly isCopied?: boolean;
  /** True for a field that holds a list of values. */
  readonly multiple?: boolean;
  /** True for a list that replies contain as comma-separated text. */
  readonly comma?: boolean;
  /** Code of the dictionary that supplies the options. */
  readonly dictionary?: string;
  readonly reference?: ReferenceSource;
  /** Of a reference: `refuse` rejects deleting the referenced row while a row refers to it, `keep` lets the reference outlive it. */
  readonly onDelete?: 'refuse' | 'keep';
  /** Language of a code editor. */
  readonly language?: 'json' | 'javascript' | 'sql' | 'xml' | 'text';
  /** Accepted file types, in the syntax of the `accept` attribute of a file input. */
  readonly accept?: string;
  /** Maximum size of one file in bytes. */
  readonly maxSize?: number;
  /**
   * Shows the column of a counter as a progress bar with this title. The bar has the length of `total`; the counter and then `parts` are drawn over it, each in a stronger colour:
   * `{ title: ['进度', 'Progress'], total: 'quantity', parts: ['passed'] }`. The columns of `total` and `parts` are hidden until the user shows them.
   */
  readonly progress?: { readonly title: LocalizedText; readonly total: string; readonly parts: readonly string[] };
  /** Of a nullable secret that a form can remove: the field with what lists show of it, and what its removal means. */
  readonly removable?: { readonly maskField: string; readonly meaning: LocalizedText };
  /**
   * Kind of personal data in the field. Replies, exports, histories and logs contain the values of most kinds in masked form only; values of the kinds `name` and `other`
   * are shown, but belong to what is exported or erased of a person. `false` for a phone number or an e-mail address of no person.
   */
  readonly personal?: PersonalKind | false;
  /** Number of decimals. */
  readonly decimals?: number;
  /** True to show a copy button beside the value in a table. */
  readonly copyable?: boolean;
  /** Edge to which the column is pinned until the user changes it. */
  readonly pin?: 'left' | 'right';
  /** Column width in pixels until the user changes it. */
  readonly width?: number;
  /** Of a state: the changes that users can make. */
  readonly transitions?: readonly Transition[];
  /** Colour of the tag of each value: `{ 1: 'good', 2: 'danger' }`. */
  readonly tones?: Readonly<Record<string, Tone>>;
}

/** A suggested value with its title and a help text that is shown below the control. */
export interface SuggestedValue {
  readonly value: string;
  readonly title: LocalizedText;
  readonly help: LocalizedText;
}

/** Semantic colour of a value, for scanning a list. */
export type Tone = 'neutral' | 'brand' | 'good' | 'warning' | 'danger';

/** Keywords of a field's JSON Schema that limit its values. */
export interface SchemaLimits {
  readonly type?: string | readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly maxItems?: number;
  readonly items?: SchemaLimits;
}

/** JSON Schema of a field whose values have the type `Value`, with its traits. */
export type Field<Value = unknown> = TUnsafe<Value>;

/** Traits that the author of any field can set. */
export type Traits = Pick<
  FieldTraits,
  | 'title'
  | 'search'
  | 'filter'
  | 'sort'
  | 'total'
  | 'list'
  | 'englishIn'
  | 'form'
  | 'wide'
  | 'advanced'
  | 'schemaFrom'
  | 'compare'
  | 'placeholder'
  | 'help'
  | 'group'
  | 'visible'
  | 'keepWhenHidden'
  | 'aliases'
  | 'requiredWhen'
  | 'immutable'
  | 'clearable'
  | 'controlWhen'
  | 'copyable'
  | 'pin'
  | 'width'
  | 'tones'
  | 'onDelete'
  | 'personal'
>;

/** Builds the JSON Schema of a field with its traits. */
export function field<Value>(widget: Widget, traits: Omit<FieldTraits, 'widget'>, schema: object): Field<Value> {
  return Type.Unsafe<Value>({ ...schema, title: traits.title[0], field: { widget, ...traits } satisfies FieldTraits } as TSchema);
}

/** Returns the traits of a schema made by a field builder; other schemas have none. */
export function traitsOf(schema: TSchema): FieldTraits | undefined {
  return (schema as { field?: FieldTraits }).field;
}

/** Returns the kind of personal data in a field; undefined for other fields. */
export function personalKindOf(schema: TSchema | undefined): PersonalKind | undefined {
  const kind = schema && traitsOf(schema)?.personal;
  return kind === false ? undefined : kind;
}

/** Returns the kind of a field whose values are masked; undefined for a field that is shown, or that no reply contains. */
export function maskedKindOf(schema: TSchema | undefined): MaskedKind | undefined {
  const kind = personalKindOf(schema);
  return isMaskedKind(kind) && (schema as { writeOnly?: boolean }).writeOnly !== true ? kind : undefined;
}
