import { Button } from '@arco-design/web-react';
import { Suspense, useRef } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import type { FormStore } from './form-store.ts';
import { useSavedText } from './saved-text.ts';
import { useRecordEditors } from './use-record-editors.ts';

const MergeDialog = lazyComponent(() => import('./MergeDialog.tsx'));

interface RecordChangesProps {
  readonly form: FormStore;
  readonly trees: ParentTrees;
  readonly parents: NonNullable<CrudPageProps['parents']>;
  /** Receives the first invalid field of a merged form. */
  readonly onInvalid: (name: string | undefined) => void;
}

/** Shows who else edits the record of an open form, who has saved it meanwhile, and the conflicts to be merged. */
export default function RecordChanges({ form, trees, parents, onInvalid }: RecordChangesProps) {
  const t = useTranslation();
  const savedText = useSavedText();
  const http = useService(Http);
  const conflict = useStore(form, (state) => state.conflict);
  const place = useRef<HTMLDivElement>(null);
  const { editors, saved } = useRecordEditors(form);
  const { row, crud } = form;
  const review = () => {
    if (!saved || !row || !crud.detail) return;
    const reading = observeRequest(http, crud.detail, { id: row.id }).subscribe(
      (answer) => answer.success && form.review({ current: answer.data as Row, changedBy: saved.changedBy, changedAt: saved.changedAt }),
    );
    form.lifetime.add(reading);
  };
  return (
    <>
      <div ref={place} role="status" className="crud-form__others">
        {editors.length > 0 && <p className="crud-form__editors">{t('editing.also', { names: editors.join(t('shell.listSeparator')) })}</p>}
        {saved && (
          <div className="crud-draft">
            <span>{savedText(saved)}</span>
            {crud.detail && (
              <Button size="small" onClick={review}>
                {t('editing.update')}
              </Button>
            )}
          </div>
        )}
      </div>
      {conflict && (
        <Suspense>
          <MergeDialog
            conflict={conflict}
            trees={trees}
            parents={parents}
            container={() => place.current?.closest('.crud') ?? document.body}
            onMerge={(chosen) => onInvalid(form.merge(chosen))}
            onClose={() => form.dismissConflict()}
          />
        </Suspense>
      )}
    </>
  );
}
