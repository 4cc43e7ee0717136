import type { ComponentType, ReactNode } from 'react';
import type { TSchema } from 'typebox';
import type { BatchResult, Call, Crud, Entity, RowOf } from '#shared/contract';
import type { FieldTraits } from '#shared/fields';
import type { LocalizedText } from '#shared/text';

/** Calls of a screen: the result of `crud()`, or the same with another list. A screen hides the actions whose call is missing. */
export interface CrudCalls<E extends Entity = Entity> {
  readonly entity: E;
  /** Code of the page whose permission codes guard the buttons. */
  readonly menu: string;
  /** Replies with a `Page`, or with a plain array (a tree when rows have `children`), which is not paged. */
  readonly list: Call;
  readonly detail?: Call;
  readonly submit?: Call;
  readonly remove?: Call;
  /** Restores deleted rows; the screen offers it for a few seconds after rows were removed, and in the recycle bin. */
  readonly restore?: Call;
  /** Lists the deleted rows that can be restored, each with `deletedBy`. */
  readonly recycled?: Call;
  readonly archive?: Call;
  readonly unarchive?: Call;
  /** Lists the archived rows. */
  readonly archived?: Call;
  /** Sets many rows to the same values. */
  readonly bulkSubmit?: Call;
  readonly export?: Crud['export'];
  readonly importTemplate?: Crud['importTemplate'];
  readonly importPreview?: Crud['importPreview'];
  readonly importMapping?: Crud['importMapping'];
  readonly import?: Crud['import'];
  /** Changes of the state, each an action of the rows in its states. */
  readonly transitions?: Crud['transitions'];
  readonly history?: Crud['history'];
  readonly historyExport?: Crud['historyExport'];
  /** Replies with one level of a tree for `parentId` ('0' at the top), each row with `hasChildren`; `list` then serves searches only. */
  readonly lazy?: Call;
}

/** A row of any entity, as the screen handles it. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly children?: readonly Row[] };

/** Overrides of one column. */
export interface ColumnOverride<R = Row> {
  readonly title?: LocalizedText;
  readonly width?: number;
  /** Edge the column is pinned to until the operator changes it. */
  readonly pin?: 'left' | 'right';
  /** Renders the value of a row; undefined shows it as usual. */
  readonly render?: (row: R) => ReactNode;
  /** True when the column is hidden until the operator shows it. */
  readonly hidden?: boolean;
}

/** Props of a control that replaces a field's own. */
export interface InputProps {
  readonly field: { readonly name: string; readonly schema: TSchema; readonly traits: FieldTraits; readonly required: boolean };
  /** Id for the label's `htmlFor`; `${id}-label` is the id of the label itself. */
  readonly id: string;
  readonly value: unknown;
  readonly disabled: boolean;
  readonly isInvalid: boolean;
  /** Ids of the help text and of the error, for `aria-describedby`. */
  readonly describedBy: string | undefined;
  /** Values of other fields that the field's source needs, as JSON. */
  readonly callInput?: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Overrides of one field of a form. */
export interface InputOverride {
  readonly title?: LocalizedText;
  readonly help?: LocalizedText;
  readonly placeholder?: LocalizedText;
  /** True when the field is not rendered and sent unchanged; a required field is rendered nevertheless. */
  readonly hidden?: boolean;
  /** True when the field is shown read-only and sent unchanged. */
  readonly readOnly?: boolean;
  /** Replaces the field's own control. */
  readonly Control?: ComponentType<InputProps>;
}

/** A further button of each row or of the toolbar; without a code every user of the page has it. A promise that rejects without an answer of the server shows a toast. */
export interface CrudAction<Subject, R = Row> {
  readonly title: LocalizedText;
  readonly code?: string;
  readonly onClick: (subject: Subject, screen: CrudScreen<R>) => unknown;
}

/** A button of each row. */
export interface RowAction<R = Row> extends CrudAction<R, R> {
  /** Selects the rows that have the button; all by default. */
  readonly when?: (row: R) => boolean;
  /** Values that the action sets, such as `{ status: 2 }`: a board runs it when a card is moved there. */
  readonly moves?: { readonly [Name in keyof R]?: R[Name] };
  /** True to show the action in the menu of the row only, after the others. */
  readonly isSecondary?: boolean;
  /** True for the main action of the list; on a phone each card has a button for it. */
  readonly isPrimary?: boolean;
}

/** A button of the toolbar; receives the ids of the selected rows. */
export interface ToolbarAction<R = Row> extends CrudAction<readonly string[], R> {
  /** Selects the rows the action applies to; a message reports selected rows that are left out, or that none is left. */
  readonly when?: (row: R) => boolean;
  /** True for an action that is shown only while rows are selected. */
  readonly isForSelection?: boolean;
}

/** Operations of a screen that its actions may use. */
export interface CrudScreen<R = Row> {
  /** Fetches the rows, and the trees of its parents, again. */
  reload(): void;
  /** Opens the form of a new row with these initial values; values the form does not show are sent with it. */
  add(initial?: Partial<R>): void;
  edit(row: R): void;
  /** Opens the form of a new row as a copy of this one. */
  copy(row: R): void;
  view(row: R): void;
  /** Opens a form for an action on a row other than editing it. Values without an `id` are the initial ones of an action on no row. */
  openRowAction(row: Partial<R>, action: PendingRowAction): void;
  /** Runs an action on one or several rows, after its question. Rows that it leaves out are reported in a dialog; the list is loaded again. Resolves false if it failed or was cancelled. */
  batch(ids: readonly string[], action: BatchAction): Promise<boolean>;
}

/** An action on several rows that may be done in part. */
export interface BatchAction {
  readonly title: LocalizedText;
  /** Question before the action, about `{name}` for one row and `{count}` for several; none for an action that is easily undone. */
  readonly question?: { readonly one: LocalizedText; readonly many: LocalizedText; readonly isDangerous?: boolean };
  /** Message when all is done, with `{count}`. */
  readonly done: LocalizedText;
  /** Sends the request, with `partial`, and resolves with its reply; with undefined if it failed or was cancelled. A rejection without an answer of the server shows a toast. */
  readonly send: (ids: readonly string[]) => Promise<BatchOutcome | null | undefined>;
}

/** Reply to a batch: its result, or nothing if all is done; `message` replaces the message that all is done. */
export interface BatchOutcome extends Partial<BatchResult> {
  readonly message?: LocalizedText;
}

/** An action on one row that asks for a few fields first, such as a rejection with a reason. */
export interface PendingRowAction {
  readonly title: LocalizedText;
  /** Text above the fields that explains the action, in the current language. */
  readonly note?: string;
  /** Label of the button that confirms the action. */
  readonly confirm: LocalizedText;
  /** Message after the action succeeded, which may depend on the reply. */
  readonly done: LocalizedText | ((answer: Row) => LocalizedText);
  /** Receives the row's `id`, unless `input` has `ids`, the fields, and what `input` always sends. */
  readonly call: Call;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Names of fields of the screen's entity, or of `entity`, in this order. */
  readonly fields: readonly string[];
  /** Entity of which the action adds a row, such as a receipt of an advertiser. The `id` of the row is then not sent. */
  readonly entity?: Entity;
}

/** Source of the tree of a field of widget `parent`: nodes have `title` and `value` (or `key`, `id`) and `children`. */
export interface ParentTree {
  readonly call: Call;
  readonly input?: Readonly<Record<string, unknown>>;
  /** False when a parent must be selected, because rows cannot be at the top level. */
  readonly root?: boolean;
}

/** Texts of a list without rows; they say when rows appear. */
export interface EmptyTexts {
  readonly title: LocalizedText;
  readonly hint: LocalizedText;
}

/** Calls with which users add rows, or else the texts of the list without rows. */
export type RequiredEmptyTexts<E extends Entity> = { readonly crud: Pick<Required<CrudCalls<E>>, 'submit'> } | { readonly empty: EmptyTexts };

/** Props of a generic screen; all but the calls are optional. */
export interface CrudPageProps<E extends Entity = Entity> {
  readonly crud: CrudCalls<E>;
  /** Accessible name of the table. */
  readonly title?: LocalizedText;
  /** Kind of record in the titles of forms, in the middle of a sentence: `['用户', 'user']`. */
  readonly noun?: LocalizedText;
  /** Texts of the list while it has no row, where users do not add them. */
  readonly empty?: EmptyTexts;
  /** Fields of this screen as columns, filters and form fields, in this order; all of the entity's by default. */
  readonly fields?: readonly (keyof RowOf<E> & string)[];
  readonly columns?: { readonly [Name in keyof RowOf<E>]?: ColumnOverride<RowOf<E>> };
  readonly actions?: {
    readonly row?: readonly RowAction<RowOf<E>>[];
    readonly toolbar?: readonly ToolbarAction<RowOf<E>>[];
    /** Label of the button that adds a row, where that is more than adding it. */
    readonly add?: LocalizedText;
    /** Selects the rows that can be edited or deleted; the others lack the button, and the server must refuse them too. */
    readonly edit?: RowAction<RowOf<E>>['when'];
    readonly remove?: RowAction<RowOf<E>>['when'];
  };
  /** Initial values of a new row. */
  readonly initial?: { readonly [Name in keyof RowOf<E>]?: RowOf<E>[Name] };
  /** Parameters of every list request; form fields of these names are set to them and not rendered, unless `parents` names them. */
  readonly filter?: Readonly<Record<string, string | number>>;
  /** Tree of each field of widget `parent`; columns and the view read its titles, or those in the row (`parentName` for `parentId`). */
  readonly parents?: { readonly [Name in keyof RowOf<E>]?: ParentTree };
  /** Receives the server's reply to a saved form. */
  readonly onSaved?: (answer: RowOf<E>) => void;
  /** Returns the message after a form was saved, where the general one does not say enough. */
  readonly savedMessage?: (answer: RowOf<E>) => LocalizedText | undefined;
  /** True to open the record of a row after it has been added. */
  readonly opensAdded?: boolean;
  readonly onRow?: (row: RowOf<E>) => { readonly onClick?: () => void; readonly className?: string };
  /** Content that expands below a row: rendered here, or with `true` every field that is no column. */
  readonly details?: true | ((row: RowOf<E>) => ReactNode);
  /** Presentation of forms: in a dialog over the page (default), in a drawer at its edge, or in place of the list. Records open beside the list or on a page of their own. */
  readonly presentation?: 'dialog' | 'drawer' | 'page';
  /** Width of the form in pixels; 640 by default. */
  readonly formWidth?: number;
  /** Width of the labels in pixels; without it labels are above their fields. */
  readonly labelWidth?: number;
}
