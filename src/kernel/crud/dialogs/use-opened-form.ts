import { useEffect, useMemo, useRef, useState } from 'react';
import { of } from 'rxjs';
import type { FieldValues } from '#shared/condition';
import { maskedFieldOf } from '#shared/entity';
import { isMaskedText } from '#shared/personal';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useUnmount } from '../../base/react/use-unmount.ts';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import type { MutationResult } from '../../platform/http/observe-request.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useUnsavedChanges } from '../../ui/pane/use-unsaved-changes.ts';
import type { FormStore } from '../form/form-store.ts';
import { type OfferedDraft, useFormDraft } from '../form/use-form-draft.ts';
import type { CrudPageProps, PendingRowAction, Row } from '../model/crud-screen.ts';
import { actionFields, formFields, type ScreenField } from '../model/entity-fields.ts';

/** Loaded with the first form of the console: a list alone needs no validation. */
let FormStoreClass: typeof FormStore | undefined;
const fetchStore = async () => (FormStoreClass ??= (await import('../form/form-store.ts')).FormStore);

/** The form of a screen and its operations. */
export interface OpenedForm extends OfferedDraft {
  readonly form: FormStore | undefined;
  /** Edits a row, or adds one with the initial values of the page and `initialValues`. */
  open(row?: Row, initialValues?: FieldValues): void;
  /** Opens the form of an action on a row other than editing, or on none. */
  openRowAction(row: Partial<Row>, action: PendingRowAction): void;
  /** Action of the form, if it is no edit. */
  readonly rowAction: PendingRowAction | undefined;
  /** Adds a row with these initial values; asks first when there are unsaved changes of a row that is being edited. */
  copy(values: FieldValues): Promise<void>;
  /** Edits another row instead, if it is found; asks first when there are unsaved changes. */
  goTo(find: () => Promise<Row | undefined>): Promise<void>;
  /** Saves a valid form, otherwise returns the first invalid field; unless `isLast`, an empty form follows. */
  submit(isLast: boolean): string | undefined;
  /** Closes the form; asks first when there are unsaved changes and does nothing while saving. Resolves with true when no form is open. */
  close(): Promise<boolean>;
}

/** Opens the form of a screen for a row or a new one and closes it once it has saved; the focus returns to the element that opened it. `view` opens the record of a row. */
export function useOpenedForm(reload: () => void, props: CrudPageProps, view: (row: Row) => void): OpenedForm {
  const { form, rowAction, isLast, found, forget, ...lifecycle } = useFormLifecycle(reload, props, view);
  const { rememberOpener, begin, leave, mayLeave, createForm, show } = lifecycle;
  const open = (row?: Row, initialValues?: FieldValues) => {
    rememberOpener();
    void begin((Form) => show(createForm(Form, row, initialValues)));
  };
  return {
    form,
    rowAction: form && rowAction,
    openRowAction: (row, action) => {
      rememberOpener();
      void begin((Form) => show(lifecycle.createActionForm(Form, row, action), action));
    },
    open,
    goTo: async (find) => {
      if (!form || !(await mayLeave())) return;
      const row = await find();
      if (row && !form.lifetime.closed) await begin((Form) => leave(form, createForm(Form, row)));
    },
    copy: async (values) => {
      const initialValues = copyable(props.crud.entity, values);
      if (!form) open(undefined, initialValues);
      else if (await mayLeave()) await begin((Form) => leave(form, createForm(Form, undefined, initialValues)));
    },
    submit: (last) => {
      isLast.current = last;
      return form?.submit();
    },
    close: async () => {
      if (form && !(await mayLeave())) return false;
      if (form) leave(form);
      return true;
    },
    draft: form ? undefined : found,
    continueDraft: () => {
      if (!found) return;
      rememberOpener();
      void begin((Form) => {
        const opened = createForm(Form, found.rowId === undefined ? undefined : { id: found.rowId });
        opened.restore(found.values, found.basis);
        show(opened);
      });
    },
    forgetDraft: forget,
  };
}

/** Holds the open form with the action it belongs to, and creates the forms that replace it. */
function useFormLifecycle(reload: () => void, props: CrudPageProps, view: (row: Row) => void) {
  const { crud, filter } = props;
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [form, setForm] = useState<FormStore>();
  const [rowAction, setRowAction] = useState<PendingRowAction>();
  const isLast = useRef(true);
  const { found, discard: forget } = useFormDraft(props, rowAction ? undefined : form);
  const leave = (closed: FormStore, next?: FormStore) => {
    closed.lifetime.unsubscribe();
    forget();
    setForm(next);
  };
  const follow = useFormResult(reload, leave);
  const createForm = (Form: typeof FormStore, row?: Row, initialValues?: FieldValues): FormStore => {
    const opened = rowForm(Form, { http, props, row, initialValues });
    follow(opened, {
      done: (data) => t(props.savedMessage?.(data as Row) ?? (row ? 'crud.updated' : 'crud.added')),
      close: (data) => {
        props.onSaved?.(data as Row);
        leave(opened, isLast.current ? undefined : createForm(Form, undefined, initialValues && filter ? { ...filter } : undefined));
        if (!row && props.opensAdded && isLast.current) view(data as Row);
      },
    });
    return opened;
  };
  const createActionForm = (Form: typeof FormStore, row: Partial<Row>, action: PendingRowAction): FormStore => {
    const opened = actionForm(Form, { http, crud, row, action });
    const done = (data: unknown) => t(typeof action.done === 'function' ? action.done(data as Row) : action.done);
    follow(opened, { done, close: () => leave(opened) });
    return opened;
  };
  const begin = (work: (Form: typeof FormStore) => void) => fetchStore().then(work, () => toasts.error(t('errors.chunk')));
  const show = (opened: FormStore, action?: PendingRowAction) => {
    setRowAction(action);
    setForm(opened);
  };
  return {
    form,
    rowAction,
    isLast,
    found,
    forget,
    createForm,
    createActionForm,
    begin,
    leave,
    show,
    mayLeave: useDiscardGuard(form),
    rememberOpener: useOpener(form),
  };
}

function rowForm(
  Form: typeof FormStore,
  { http, props, row, initialValues }: { http: Http; props: CrudPageProps; row: Row | undefined; initialValues: FieldValues | undefined },
): FormStore {
  const { crud, fields, initial, filter, parents } = props;
  const values = { ...initial, ...filter, ...initialValues };
  // Initial values that are not shown are sent as well.
  const sentNames = fields && [...new Set([...fields, ...Object.keys(values)])];
  return new Form(http, crud, formFields(crud.entity, sentNames, parents), row, values);
}

function actionForm(
  Form: typeof FormStore,
  { http, crud, row, action }: { http: Http; crud: CrudPageProps['crud']; row: Partial<Row>; action: PendingRowAction },
): FormStore {
  const calls = { ...crud, submit: action.call, isAction: true, ...(action.input ? { submitInput: action.input } : {}) };
  const { entity, fields } = action;
  if (entity) return new Form(http, { ...calls, entity }, formFields(entity, fields), undefined);
  const { id } = row;
  return new Form(http, calls, actionFields(crud.entity, action), id === undefined ? undefined : { ...row, id }, row);
}

interface FormResultHandlers {
  /** Returns the message shown once the form has saved, from the reply. */
  readonly done: (data: unknown) => string;
  readonly close: (data: unknown) => void;
}

/** Returns a function that shows the result of saving a form, closes the form and reloads the list; a row that no longer exists closes it too. */
function useFormResult(reload: () => void, leave: (closed: FormStore) => void): (opened: FormStore, handlers: FormResultHandlers) => void {
  const toasts = useService(Toasts);
  const t = useTranslation();
  return (opened, { done, close }) => {
    const onResult = ({ success, localizedMessage, data }: MutationResult) => {
      if (localizedMessage) toasts.error(t(localizedMessage));
      if (!success) return;
      toasts.success(done(data));
      close(data);
      reload();
    };
    opened.lifetime.add(opened.saved$.subscribe(onResult));
    opened.lifetime.add(
      opened.loadFailed$.subscribe(() => {
        leave(opened);
        reload();
      }),
    );
  };
}

/** Returns the initial values of a copy: the form fields without secrets and masked values, which the server accepts for no other row. */
function copyable(entity: CrudPageProps['crud']['entity'], values: FieldValues): FieldValues {
  const isCopyable = ({ name, schema, traits }: ScreenField) => traits.widget !== 'secret' && !(maskedFieldOf(schema) && isMaskedText(values[name]));
  const copyableFields = formFields(entity).filter(isCopyable);
  return Object.fromEntries(copyableFields.map(({ name }) => [name, values[name]]));
}

/** Marks the tab while there are unsaved changes and returns a function that asks before they are lost; it refuses while saving. */
function useDiscardGuard(form: FormStore | undefined): () => Promise<boolean> {
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const dirty$ = useMemo(() => form?.select((state) => state.dirty) ?? of(false), [form]);
  useUnsavedChanges(useStream(dirty$, false));
  useUnmount(form, (left) => left?.lifetime.unsubscribe());
  return async () => {
    if (form?.state.status === 'saving') return false;
    const question = {
      title: t('crud.discardTitle'),
      content: t('crud.discardHint'),
      confirm: t('crud.discard'),
      cancel: t('crud.keepEditing'),
      danger: true,
    };
    return !form?.state.dirty || dialogs.confirm(question);
  };
}

/** Restores the focus, once the form is closed, to the element that had it when the form was opened. */
function useOpener(form: FormStore | undefined): () => void {
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (form || !(opener.current instanceof HTMLElement)) return;
    opener.current.focus();
    opener.current = null;
  }, [form]);
  return () => {
    opener.current = document.activeElement;
  };
}
