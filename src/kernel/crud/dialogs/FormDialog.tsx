import { Button } from '@arco-design/web-react';
import { type KeyboardEvent, type RefObject, type SubmitEvent, useEffect, useRef } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { FormFields, FormSummary } from '../form/FormFields.tsx';
import { FormFrame, useRecordTitle } from '../form/FormFrame.tsx';
import { focusField, useUploadGuard } from '../form/focus-field.ts';
import type { FormStore } from '../form/form-store.ts';
import RecordChanges from '../form/RecordChanges.tsx';
import type { CrudPageProps, InputOverride } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { defaultOf, type FormField, renderedFields } from '../model/entity-fields.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import { RecordPager } from '../record/RecordPager.tsx';
import type { OpenedForm } from './use-opened-form.ts';

interface FormDialogProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'noun' | 'filter' | 'parents' | 'formWidth' | 'labelWidth' | 'presentation'> {
  readonly form: FormStore;
  readonly inputs: Readonly<Record<string, InputOverride>>;
  readonly opened: OpenedForm;
  readonly store: CrudStore;
  readonly trees: ParentTrees;
  readonly container: () => Element;
  /** True when this user may add a copy of the edited row. */
  readonly mayCopy: boolean;
  readonly onClose: () => void;
}

/** Adds or edits one row. It is part of its page, so it is hidden and kept with it. */
export default function FormDialog(props: FormDialogProps) {
  const titleOf = useRecordTitle(props);
  const t = useTranslation();
  const { form, opened, presentation, formWidth, container, onClose } = props;
  const box = useRef<HTMLFormElement>(null);
  const status = useStore(form, (state) => state.status);
  const refused = useStore(form, (state) => state.refused);
  const fields = fieldsOf(props);

  // The focus is set here and not in the form, because the dialog takes the focus first when it opens.
  const first = fields[0]?.name;
  const isLoading = status === 'loading';
  useEffect(() => {
    if (form && !isLoading) focusField(box.current, first);
  }, [form, isLoading, first]);
  useEffect(() => {
    if (refused && status === 'editing') focusField(box.current, refused);
  }, [refused, status]);

  const frame = { container, onClose, ...(presentation ? { presentation } : {}), ...(formWidth ? { formWidth } : {}) };
  return (
    <FormFrame {...frame} title={opened.rowAction ? t(opened.rowAction.title) : titleOf(form.row ? 'edit' : 'add', form.row)}>
      <FormBody key={form.key} {...props} box={box} rendered={fields} />
    </FormFrame>
  );
}

const noInputs = {};

interface FormBodyProps extends FormDialogProps {
  readonly box: RefObject<HTMLFormElement | null>;
  readonly rendered: readonly FormField[];
}

const fieldsOf = ({ crud, fields, inputs, parents = {}, filter = {}, form, opened }: FormDialogProps): FormField[] =>
  opened.rowAction
    ? [...form.fields]
    : renderedFields(crud.entity, fields, parents).filter(
        (field) => (!(field.name in filter) || field.name in parents) && !(inputs[field.name]?.hidden && isOptional(field)),
      );

/** True when a form may be sent without input in this field. */
const isOptional = ({ required, schema, traits }: FormField) => (!required || defaultOf(schema) !== undefined) && !traits.requiredWhen;

function FormBody({ form, inputs, opened, store, trees, parents = {}, labelWidth, mayCopy, box, rendered: fields }: FormBodyProps) {
  const status = useStore(form, (state) => state.status);
  const isUploading = useUploadGuard();
  const save = (isLast: boolean) => {
    if (!isUploading(box.current)) focusField(box.current, opened.submit(isLast));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save(true);
  };

  return (
    <>
      {!opened.rowAction && <RecordChanges form={form} trees={trees} parents={parents} onInvalid={(name) => focusField(box.current, name)} />}
      {opened.rowAction?.note && <p className="crud-view__state">{opened.rowAction.note}</p>}
      <form
        ref={box}
        className={labelWidth ? 'crud-form crud-form_beside' : 'crud-form'}
        noValidate
        onSubmit={submit}
        onKeyDown={onKeyDown}
        aria-busy={status !== 'editing'}
      >
        <FormSummary form={form} fields={fields} onSelect={(name) => focusField(box.current, name)} />
        <FormFields form={form} fields={fields} inputs={opened.rowAction ? noInputs : inputs} trees={trees} parents={parents} labelWidth={labelWidth} />
        <FormButtons form={form} opened={opened} store={store} mayCopy={mayCopy} onSaveAndAdd={() => save(false)} />
      </form>
    </>
  );
}

interface FormButtonsProps {
  readonly form: FormStore;
  readonly opened: OpenedForm;
  readonly store: CrudStore;
  /** True when this user may add a copy of the edited row. */
  readonly mayCopy: boolean;
  readonly onSaveAndAdd: () => void;
}

/** Renders the buttons of an opened form; they stay visible however long the form is. */
function FormButtons({ form, opened, store, mayCopy, onSaveAndAdd }: FormButtonsProps) {
  const t = useTranslation();
  const status = useStore(form, (state) => state.status);
  const { row } = form;
  const { rowAction } = opened;
  return (
    <div className="crud-form__buttons">
      {row && !rowAction && <RecordPager store={store} row={row} onNavigate={opened.goTo} />}
      {row && !rowAction && mayCopy && (
        <Button type="text" onClick={() => opened.copy(form.state.values)} disabled={status !== 'editing'}>
          {t('form.copy')}
        </Button>
      )}
      <span className="crud-form__gap" />
      <Button onClick={opened.close} disabled={status === 'saving'}>
        {t('crud.cancel')}
      </Button>
      {!row && !rowAction && (
        <Button onClick={onSaveAndAdd} disabled={status !== 'editing'}>
          {t('form.saveAndAdd')}
        </Button>
      )}
      <Button type="primary" htmlType="submit" loading={status === 'saving'} disabled={status === 'loading'}>
        {rowAction ? t(rowAction.confirm) : t('crud.save')}
      </Button>
    </div>
  );
}
