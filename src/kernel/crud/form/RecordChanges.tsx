import { Button } from '@arco-design/web-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { exhaustMap, merge, Subscription, takeWhile, timer } from 'rxjs';
import { editing, editingIntervalMs, LiveOpened, RecordEditorsChanged, type RecordName, RecordSaved } from '#shared/live';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Live } from '../../platform/live/live.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import type { RecordConflict } from './field-changes.ts';
import type { FormStore } from './form-store.ts';
import { useSavedText } from './saved-text.ts';

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
  const statusRef = useRef<HTMLDivElement>(null);
  const { editors, saved } = useRecordEditors(form);
  const { row, crud } = form;
  const review = () => {
    if (!saved || !row || !crud.detail) return;
    const subscription = observeRequest(http, crud.detail, { id: row.id }).subscribe(
      (answer) => answer.success && form.review({ current: answer.data as Row, changedBy: saved.changedBy, changedAt: saved.changedAt }),
    );
    form.lifetime.add(subscription);
  };
  return (
    <>
      <div ref={statusRef} role="status" className="crud-form__others">
        {editors.length > 0 && <p className="crud-form__editors">{t('editing.alsoEditing', { names: editors.join(t('shell.listSeparator')) })}</p>}
        {saved && (
          <div className="crud-draft">
            <span>{savedText(saved)}</span>
            {crud.detail && (
              <Button size="small" onClick={review}>
                {t('editing.reviewChanges')}
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
            container={() => statusRef.current?.closest('.crud') ?? document.body}
            onMerge={(chosen) => onInvalid(form.merge(chosen))}
            onClose={() => form.dismissConflict()}
          />
        </Suspense>
      )}
    </>
  );
}

type Save = Pick<RecordConflict, 'changedBy' | 'changedAt'>;

interface OtherEditors {
  /** Names of others who edit the record. */
  readonly editors: readonly string[];
  /** The last save by another user since the form was opened or updated. */
  readonly saved: Save | undefined;
}

/** Announces that the form of a record is open while it is visible, and follows who else edits and saves the record. */
function useRecordEditors(form: FormStore): OtherEditors {
  const http = useService(Http);
  const live = useService(Live);
  const version = useStore(form, (state) => state.basis.version);
  const id = useStore(form, (state) => state.basis.id);
  const [editors, setEditors] = useState<readonly string[]>([]);
  const [saved, setSaved] = useState<Save & { readonly version: string | undefined }>();
  // Rows of servers without versions have no editors either.
  const isFollowed = Boolean(version);
  useEffect(() => {
    if (!isFollowed || !form.row || id === undefined) return;
    const record = { entity: form.crud.entity.name, id };
    const input = { ...record, form: form.key };
    const announce = () => observeRequest(http, editing, input, { quiet: true });
    const isThisRecord = (other: RecordName) => other.entity === record.entity && other.id === record.id;
    const subscriptions = new Subscription();
    subscriptions.add(
      merge(timer(0, editingIntervalMs), live.stream(LiveOpened))
        .pipe(
          exhaustMap(announce),
          // A user who may not edit the record announces nothing; without an answer the next announcement is awaited.
          takeWhile(({ success, code }) => success || code === 0),
        )
        .subscribe((answer) => answer.success && setEditors(answer.data.editors)),
    );
    subscriptions.add(live.stream(RecordEditorsChanged).subscribe((changed) => isThisRecord(changed) && setEditors(changed.editors)));
    subscriptions.add(live.stream(RecordSaved).subscribe((save) => isThisRecord(save) && setSaved({ ...save, version: form.state.basis.version })));
    return () => {
      subscriptions.unsubscribe();
      setEditors([]);
      observeRequest(http, editing, { ...input, ends: true }, { quiet: true }).subscribe();
    };
  }, [form, http, live, isFollowed, id]);
  return { editors, saved: saved?.version === version ? saved : undefined };
}
