import type { ComponentType, ReactNode } from 'react';
import type { TSchema } from 'typebox';
import type { Call, Crud, Entity, RowOf } from '#shared/contract';
import type { FieldTraits } from '#shared/fields';
import type { Words } from '#shared/text';

/** The calls of a screen: what `crud()` gives, or the same with another list. A screen hides the actions whose call is missing. */
export interface CrudCalls<E extends Entity = Entity> {
  readonly entity: E;
  /** The page whose codes guard the buttons. */
  readonly menu: string;
  /** Answers a `Page`, or a plain array (a tree when rows carry `children`), which is shown whole. */
  readonly list: Call;
  readonly detail?: Call;
  readonly submit?: Call;
  readonly remove?: Call;
  /** Undoes a removal: whoever has removed rows is offered it for a few seconds. */
  readonly restore?: Call;
  /** Gives many rows the same values. */
  readonly bulkSubmit?: Call;
  readonly export?: Crud['export'];
  readonly importTemplate?: Crud['importTemplate'];
  readonly importPreview?: Crud['importPreview'];
  readonly importMapping?: Crud['importMapping'];
  readonly import?: Crud['import'];
  /** Answers one level of a tree, given `parentId` ('0' at the top), each row with `hasChildren`; `list` then serves searches alone. */
  readonly lazy?: Call;
}

/** A row as the screen handles it, whatever its entity. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly children?: readonly Row[] };

/** How one column differs from what its field says. */
export interface ColumnOverride<R = Row> {
  readonly title?: Words;
  readonly width?: number;
  /** It stays in sight at this edge until the operator says otherwise. */
  readonly pin?: 'left' | 'right';
  readonly render?: (row: R) => ReactNode;
  /** True: not shown until the operator asks for it. */
  readonly hidden?: boolean;
}

/** What a control that is drawn instead of a field's own is told. */
export interface InputProps {
  readonly field: { readonly name: string; readonly schema: TSchema; readonly traits: FieldTraits; readonly required: boolean };
  /** Its label's `htmlFor`; `${id}-label` is the label itself. */
  readonly id: string;
  readonly value: unknown;
  readonly disabled: boolean;
  readonly isWrong: boolean;
  /** Ids of the help and of what is wrong, for `aria-describedby`. */
  readonly describedBy: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** How one field of a form differs from what it says of itself. */
export interface InputOverride {
  readonly title?: Words;
  readonly help?: Words;
  readonly placeholder?: Words;
  /** True: not drawn, and sent as it is; a field that has to be entered stays in sight. */
  readonly hidden?: boolean;
  /** True: shown and sent as it is. */
  readonly readOnly?: boolean;
  /** Enters it instead of its own control. */
  readonly Control?: ComponentType<InputProps>;
}

/** Another button of each row or of the toolbar; without a code everybody who sees the page has it. */
export interface CrudAction<Subject, R = Row> {
  readonly title: Words;
  readonly code?: string;
  readonly onClick: (subject: Subject, screen: CrudScreen<R>) => void;
}

/** A button of each row it is offered for. */
export interface RowAction<R = Row> extends CrudAction<R, R> {
  /** Rows it makes no sense for do without; all have it unless said. */
  readonly when?: (row: R) => boolean;
}

/** A button of the toolbar, told the ids of the rows that are chosen. */
export interface ToolbarAction<R = Row> extends CrudAction<readonly string[], R> {
  /** Given: it is done with chosen rows, of which only these; it is said where rows are left out, and where none is left. */
  readonly when?: (row: R) => boolean;
}

/** What an action may do with the screen it stands on. */
export interface CrudScreen<R = Row> {
  /** Asks for the rows, and for the trees behind its parents, again. */
  reload(): void;
  /** Opens the form of a new row that begins with these values; those it does not show are sent with it. */
  add(initial?: Partial<R>): void;
  edit(row: R): void;
  /** Opens the form of a new row that begins as this one is. */
  copy(row: R): void;
  view(row: R): void;
  /** Opens a form that does something else with a row than edit it. */
  ask(row: R, errand: RowErrand): void;
}

/** What is done with one row after a few fields were asked for: letting somebody in, refusing with a reason. */
export interface RowErrand {
  readonly title: Words;
  /** On the button that does it. */
  readonly confirm: Words;
  /** Said when it is done. */
  readonly done: Words;
  /** Takes the row's `id` and the fields. */
  readonly call: Call;
  /** Of the screen's entity, in this order. */
  readonly fields: readonly string[];
}

/** Where the tree behind a field of widget `parent` comes from: nodes carry `title` and `value` (or `key`, `id`) and `children`. */
export interface ParentTree {
  readonly call: Call;
  readonly input?: Readonly<Record<string, unknown>>;
  /** False: no row stands at the top, so a parent must be picked. */
  readonly root?: boolean;
}

/** What a page may say about its generic screen; all of it but the calls is optional. */
export interface CrudPageProps<E extends Entity = Entity> {
  readonly crud: CrudCalls<E>;
  /** What the table is called by those who do not see it. */
  readonly title?: Words;
  /** The fields this screen shows as columns, filters and form fields, in this order; all of the entity's unless said. */
  readonly fields?: readonly (keyof RowOf<E> & string)[];
  readonly columns?: { readonly [Name in keyof RowOf<E>]?: ColumnOverride<RowOf<E>> };
  readonly actions?: {
    readonly row?: readonly RowAction<RowOf<E>>[];
    readonly toolbar?: readonly ToolbarAction<RowOf<E>>[];
    /** Rows that are never edited, or never deleted, do without the button; the server refuses them too. */
    readonly edit?: RowAction<RowOf<E>>['when'];
    readonly remove?: RowAction<RowOf<E>>['when'];
  };
  /** Values an empty form begins with. */
  readonly initial?: { readonly [Name in keyof RowOf<E>]?: RowOf<E>[Name] };
  /** Parameters every list request carries; form fields of these names are filled with them and not drawn, unless `parents` names them. */
  readonly filter?: Readonly<Record<string, string | number>>;
  /** Where each field of widget `parent` is picked from; columns and the view read its title there, or in the row (`parentName` for `parentId`). */
  readonly parents?: { readonly [Name in keyof RowOf<E>]?: ParentTree };
  /** Hears what the server answered to a form that was saved. */
  readonly onSaved?: (answer: RowOf<E>) => void;
  readonly onRow?: (row: RowOf<E>) => { readonly onClick?: () => void; readonly className?: string };
  /** What opens below a row: drawn here, or with `true` every field that is no column. */
  readonly details?: true | ((row: RowOf<E>) => ReactNode);
  /** Where forms and views stand: over the page, beside it, or in its place with a way back. */
  readonly presentation?: 'dialog' | 'drawer' | 'page';
  /** Pixels; 640 unless said. */
  readonly formWidth?: number;
  /** Pixels; labels stand above their fields unless said. */
  readonly labelWidth?: number;
}
