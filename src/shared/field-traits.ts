import { type TSchema, type TUnsafe, Unsafe } from 'typebox';
import type { Condition } from './condition.ts';
import type { Words } from './text.ts';

/** The kinds of field an operator meets; each has a control that enters it and a way it is read. */
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

/** A value and what an operator reads for it. */
export type Option<Value extends string | number = string | number> = readonly [value: Value, title: Words];

/** Where the values of a reference are picked from: the address of a call that reads, and how its answer is to be read. */
export interface ReferenceSource {
  readonly path: string;
  /** What the call is always given. */
  readonly input?: Readonly<Record<string, string | number>>;
  /** What the call is given from other fields of the form: `{ deptId: 'department' }`. */
  readonly inputFrom?: Readonly<Record<string, string>>;
  /** How the answer stands: rows (of a `Page` when the call pages), a whole tree, or a tree whose branches are asked for one by one. */
  readonly shape: 'rows' | 'tree' | 'lazy-tree';
  /** True: a tree is walked down level by level in columns. */
  readonly cascades?: boolean;
  /** True: a whole tree stands in the form, and its boxes are checked. */
  readonly checks?: boolean;
  /** The names under which an answered row carries what is stored and what is read. */
  readonly value: string;
  readonly title: string;
  /** The parameter that takes what the operator types; without one the answer itself is looked through. */
  readonly search?: string;
  /** The parameter that takes several stored values, with commas between, and has the call answer their rows alone; `ids` unless said where a page of ids is answered. */
  readonly lookup?: string;
  /** True: the call answers page by page. */
  readonly paged?: boolean;
  /** The parameter of a lazy tree that takes the branch to open. */
  readonly branch?: string;
}

/** How an operator meets a field: the keyword `field` of its JSON Schema, read by columns, filters, forms and messages alike. */
export interface FieldTraits {
  readonly title: Words;
  readonly widget: Widget;
  /** Offered in the search area and accepted as a filter, with the suffixes of the wire. */
  readonly search?: boolean;
  /** Accepted in `ascs` and `descs`; every sortable field has an index. */
  readonly sort?: boolean;
  /** False: not a column. */
  readonly list?: boolean;
  /** False: the server's own, never taken from a form. */
  readonly form?: boolean;
  readonly options?: readonly Option[];
  readonly placeholder?: Words;
  /** A sentence under the control. */
  readonly help?: Words;
  /** Values the product knows, offered while the operator types; any other may be entered. */
  readonly known?: readonly KnownValue[];
  /** The address of a call that answers known values, given what other fields hold. */
  readonly knownFrom?: { readonly path: string; readonly inputFrom?: Readonly<Record<string, string>> };
  /** The field that is given the title of a known value, while nobody has entered another there. */
  readonly names?: string;
  /** The heading under which a form draws it, with its neighbours of the same heading. */
  readonly group?: Words;
  /** The field exists only while this holds; otherwise it is not asked for, and stored as nothing. Needs `Optional` or a default. */
  readonly visible?: Condition;
  /** The field may not be left out while this holds. Needs `Optional`. */
  readonly requiredWhen?: Condition;
  /** True: given when a row is added, and never changed. */
  readonly fixed?: boolean;
  /** Other controls that enter it, each while its condition holds; with `options` its value is one of them then. */
  readonly enteredBy?: readonly { readonly when: Condition; readonly widget: Widget; readonly options?: readonly Option[] }[];
  /** How the search area compares it, where that is not by the kind of field; `between` asks for the least and the most. */
  readonly compare?: 'like' | 'likeleft' | 'likeright' | 'equal' | 'notequal' | 'ge' | 'le' | 'gt' | 'lt' | 'between';
  /** True: a form gives it a row of its own. */
  readonly wide?: boolean;
  /** What a number counts: `['秒', 's']`. */
  readonly unit?: Words;
  /** The fields it is the product of: the server's own, which a form shows as they are entered. */
  readonly productOf?: readonly string[];
  /** True: a list of such values. */
  readonly several?: boolean;
  /** True: a list that replies carry as comma text. */
  readonly comma?: boolean;
  /** The dictionary whose entries may be chosen. */
  readonly dictionary?: string;
  readonly reference?: ReferenceSource;
  /** What a code editor speaks. */
  readonly language?: 'json' | 'javascript' | 'sql' | 'xml' | 'text';
  /** What may be uploaded, as the `accept` of a file input has it. */
  readonly accept?: string;
  /** Bytes one file may have. */
  readonly maxSize?: number;
  /** Digits after the point. */
  readonly places?: number;
  /** Beside its value in a table stands a button that copies it. */
  readonly copyable?: boolean;
  /** Its column stays in sight at this edge until the operator says otherwise. */
  readonly pin?: 'left' | 'right';
  /** Pixels its column takes until the operator says otherwise. */
  readonly width?: number;
  /** The colour of each value, shown as a tag: `{ 1: 'good', 2: 'danger' }`. */
  readonly tones?: Readonly<Record<string, Tone>>;
}

/** A value with what it is called, and what it means: a sentence under the control. */
export interface KnownValue {
  readonly value: string;
  readonly title: Words;
  readonly help: Words;
}

/** What a value means for whoever scans a list. */
export type Tone = 'neutral' | 'brand' | 'good' | 'warning' | 'danger';

/** A JSON Schema whose values are `Value`, with the traits of a field. */
export type Field<Value = unknown> = TUnsafe<Value>;

/** What the author of any field may say about it. */
export type Traits = Pick<
  FieldTraits,
  | 'title'
  | 'search'
  | 'sort'
  | 'list'
  | 'form'
  | 'wide'
  | 'compare'
  | 'placeholder'
  | 'help'
  | 'group'
  | 'visible'
  | 'requiredWhen'
  | 'fixed'
  | 'enteredBy'
  | 'copyable'
  | 'pin'
  | 'width'
  | 'tones'
>;

/** A field of a kind: its JSON Schema with its traits. */
export function field<Value>(widget: Widget, given: Omit<FieldTraits, 'widget'>, schema: object): Field<Value> {
  return Unsafe<Value>({ ...schema, title: given.title[0], field: { widget, ...given } satisfies FieldTraits } as TSchema);
}

/** The traits a builder gave a schema; schemas made by hand have none. */
export function traitsOf(schema: TSchema): FieldTraits | undefined {
  return (schema as { field?: FieldTraits }).field;
}
