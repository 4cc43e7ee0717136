import { Button } from '@arco-design/web-react';
import { type ReactNode, type SubmitEvent, useContext, useEffect, useRef, useState } from 'react';
import type { Call, Entity, RowOf } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import type { MutationResult } from '../../platform/http/observe-request.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { PaneContext } from '../../ui/pane/pane-context.ts';
import { usePageStore } from '../../ui/pane/use-page-store.ts';
import { useUnsavedChanges } from '../../ui/pane/use-unsaved-changes.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import { formFields } from '../model/entity-fields.ts';
import { ParentTrees } from '../model/parent-trees.ts';
import { DraftNotice } from './DraftNotice.tsx';
import { FormFields, FormSummary } from './FormFields.tsx';
import { focusField, useUploadGuard } from './focus-field.ts';
import { type FormBasis, FormStore } from './form-store.ts';
import RecordChanges from './RecordChanges.tsx';
import { type OfferedDraft, useStoredForm } from './use-form-draft.ts';
import './crud.css';
import './form.css';
import './entity-form.css';

/** Props of a form inside a page. */
export interface EntityFormProps<E extends Entity = Entity> {
  readonly crud: { readonly entity: E; readonly menu: string; readonly submit: Call };
  readonly row: RowOf<E>;
  /** False when the form is read-only. */
  readonly isWritable?: boolean;
  /** Renders content beside the form for the current values, with the id and version of the row as it was opened or saved. */
  readonly beside?: (values: Readonly<Record<string, unknown>>, saved: Pick<FormBasis, 'id' | 'version'>) => ReactNode;
}

/** Edits one row inside its page. */
export default function EntityForm({ crud, row, isWritable = true, beside }: EntityFormProps) {
  const http = useService(Http);
  const t = useTranslation();
  const formElement = useRef<HTMLFormElement>(null);
  const isUploading = useUploadGuard();
  const [fields] = useState(() => formFields(crud.entity));
  const form = usePageStore(() => new FormStore(http, crud as CrudCalls, fields, row as Row));
  const locale = useService(Locale);
  const trees = usePageStore(() => new ParentTrees(http, locale));
  const values = useStore(form, (state) => state.values);
  const saved = useStore(form, (state) => state.basis);
  const status = useStore(form, (state) => state.status);
  const isDirty = useStore(form, (state) => state.dirty);
  useUnsavedChanges(isDirty);
  const draft = useInlineDraft(form, isDirty);
  useSaved(form, draft.forgetDraft);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isUploading(formElement.current)) focusField(formElement.current, form.submit());
  };
  return (
    <section className="crud entity-form">
      <form ref={formElement} className="crud-form entity-form__fields" noValidate onSubmit={submit} aria-busy={status !== 'editing'}>
        {isWritable && <DraftNotice opened={draft} />}
        {isWritable && <RecordChanges form={form} trees={trees} parents={{}} onInvalid={(name) => focusField(formElement.current, name)} />}
        <FormSummary form={form} fields={fields} onSelect={(name) => focusField(formElement.current, name)} />
        <FormFields form={form} fields={fields} trees={trees} parents={{}} labelWidth={undefined} />
        {isWritable && (
          <div className="crud-form__buttons">
            <Button type="primary" htmlType="submit" loading={status === 'saving'} disabled={!isDirty}>
              {t('crud.save')}
            </Button>
          </div>
        )}
      </form>
      {beside && <aside className="entity-form__beside">{beside(values, saved)}</aside>}
    </section>
  );
}

/** Stores unsaved input through a reload and offers it until the operator edits the form. */
function useInlineDraft(form: FormStore, isDirty: boolean): OfferedDraft {
  const { key = '' } = useContext(PaneContext);
  const { found, discard } = useStoredForm(`${form.crud.submit?.path ?? ''}:${key}:${form.row?.id ?? ''}`, form.fields, form);
  return {
    draft: isDirty ? undefined : found,
    continueDraft: () => found && form.restore(found.values, found.basis),
    forgetDraft: discard,
  };
}

/** Reports the result of saving and continues with the saved values. */
function useSaved(form: FormStore, forgetDraft: () => void): void {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const handleResult = useRef<(outcome: MutationResult) => void>(undefined);
  useEffect(() => {
    handleResult.current = ({ success, localizedMessage, data }) => {
      if (localizedMessage) toasts.error(t(localizedMessage));
      if (!success) return;
      form.fill(data as Row);
      forgetDraft();
      toasts.success(t('crud.updated'));
    };
  });
  useState(() => form.lifetime.add(form.saved$.subscribe((outcome) => handleResult.current?.(outcome))));
}
