import { Button } from '@arco-design/web-react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { FormStore } from '../form/form-store.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { RecordPager } from './RecordPager.tsx';
import type { OpenedForm } from './use-opened-form.ts';

interface FormButtonsProps {
  readonly form: FormStore;
  readonly opened: OpenedForm;
  readonly store: CrudStore;
  /** True when this user may add a copy of the edited row. */
  readonly isCopying: boolean;
  readonly onSaveAndAdd: () => void;
}

/** Renders the buttons of an opened form; they stay visible however long the form is. */
export function FormButtons({ form, opened, store, isCopying, onSaveAndAdd }: FormButtonsProps) {
  const t = useTranslation();
  const status = useStore(form, (state) => state.status);
  const { row } = form;
  const { errand } = opened;
  return (
    <div className="crud-form__buttons">
      {row && !errand && <RecordPager store={store} row={row} onTurn={opened.turn} />}
      {row && !errand && isCopying && (
        <Button type="text" onClick={() => opened.copy(form.state.values)} disabled={status !== 'editing'}>
          {t('form.copy')}
        </Button>
      )}
      <span className="crud-form__gap" />
      <Button onClick={opened.close} disabled={status === 'saving'}>
        {t('crud.cancel')}
      </Button>
      {!row && (
        <Button onClick={onSaveAndAdd} disabled={status !== 'editing'}>
          {t('form.saveAndAdd')}
        </Button>
      )}
      <Button type="primary" htmlType="submit" loading={status === 'saving'} disabled={status === 'loading'}>
        {errand ? t(errand.confirm) : t('crud.save')}
      </Button>
    </div>
  );
}
