import { Button, Modal } from '@arco-design/web-react';
import { type SubmitEvent, useEffect, useId, useRef } from 'react';
import { useText, useWords } from '../i18n/use-words.ts';
import { useStore } from '../use-store.ts';
import type { CrudPageProps } from './crud-screen.ts';
import { type FormField, formFields } from './entity-fields.ts';
import { FieldControl } from './FieldControl.tsx';
import type { FormStore } from './form-store.ts';
import type { ParentTrees } from './parent-trees.ts';

interface FormDialogProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'filter' | 'parents' | 'formWidth' | 'labelWidth'> {
  readonly form: FormStore;
  readonly trees: ParentTrees;
  readonly container: () => Element;
  readonly onClose: () => void;
}

function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  form?.querySelector<HTMLElement>(`[data-field="${name}"] :is(input, textarea, [role=combobox]):not([tabindex="-1"])`)?.focus();
}

/** Adds or edits one row. It stands in its page, so it is hidden and kept with it. */
export default function FormDialog({
  form,
  trees,
  crud,
  filter = {},
  parents = {},
  formWidth = 640,
  labelWidth,
  container,
  onClose,
  ...screen
}: FormDialogProps) {
  const text = useText();
  const box = useRef<HTMLFormElement>(null);
  const status = useStore(form, (state) => state.status);
  const fields = formFields(crud.entity, screen.fields, parents).filter(({ name }) => !(name in filter) || name in parents);

  const first = fields[0]?.name;
  const isLoading = status === 'loading';
  useEffect(() => {
    if (!isLoading) focusField(box.current, first);
  }, [isLoading, first]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    focusField(box.current, form.submit());
  };

  return (
    <Modal
      visible
      className="crud-dialog"
      style={{ width: formWidth }}
      title={text(form.row ? 'crud.editTitle' : 'crud.addTitle')}
      getPopupContainer={container}
      maskClosable={false}
      onCancel={onClose}
      footer={null}
    >
      <form ref={box} className={labelWidth ? 'crud-form crud-form_beside' : 'crud-form'} noValidate onSubmit={submit} aria-busy={status !== 'editing'}>
        {fields.map((field) => (
          <FormItem key={field.name} form={form} trees={trees} field={field} parents={parents[field.name]} labelWidth={labelWidth} />
        ))}
        <div className="crud-form__buttons">
          <Button onClick={onClose} disabled={status === 'saving'}>
            {text('crud.cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={status === 'saving'} disabled={status === 'loading'}>
            {text('crud.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

type FormItemProps = {
  readonly form: FormStore;
  readonly trees: ParentTrees;
  readonly field: FormField;
  readonly labelWidth: number | undefined;
  readonly parents: NonNullable<CrudPageProps['parents']>[string];
};

function FormItem({ form, trees, field, parents, labelWidth }: FormItemProps) {
  const say = useWords();
  const id = useId();
  const { name, traits, required } = field;
  const value = useStore(form, (state) => state.values[name]);
  const problem = useStore(form, (state) => state.problems[name]);
  const isLocked = useStore(form, (state) => state.status !== 'editing');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the control inside lose the focus, and is none itself
    <div
      className="crud-form__item"
      data-field={name}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) form.judge(name);
      }}
    >
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={required ? 'crud-form__label crud-form__label_required' : 'crud-form__label'}
        style={labelWidth ? { width: labelWidth } : {}}
      >
        {say(traits.title)}
      </label>
      <div className="crud-form__control">
        <FieldControl
          field={field}
          id={id}
          value={value}
          disabled={isLocked}
          isWrong={problem !== undefined}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={(changed) => form.change(name, changed)}
          parents={parents}
          trees={trees}
          rowId={form.row?.id}
        />
        <p id={`${id}-problem`} className="crud-form__problem" aria-live="polite">
          {problem ? say(problem) : ''}
        </p>
      </div>
    </div>
  );
}
