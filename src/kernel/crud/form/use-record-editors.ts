import { useEffect, useState } from 'react';
import { exhaustMap, merge, Subscription, takeWhile, timer } from 'rxjs';
import { LiveOpened } from '#shared/live';
import { editing, editingIntervalMs, RecordEditorsChanged, type RecordName, RecordSaved } from '#shared/record-editors';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { Live } from '../../platform/live/live.ts';
import type { RecordConflict } from './field-changes.ts';
import type { FormStore } from './form-store.ts';

type Save = Pick<RecordConflict, 'changedBy' | 'changedAt'>;

interface RecordEditors {
  /** Names of others who edit the record. */
  readonly editors: readonly string[];
  /** The last save by another user since the form was opened or updated. */
  readonly saved: Save | undefined;
}

/** Announces that the form of a record is open while it is visible, and follows who else edits and saves the record. */
export function useRecordEditors(form: FormStore): RecordEditors {
  const http = useService(Http);
  const live = useService(Live);
  const version = useStore(form, (state) => state.basis.version);
  const [editors, setEditors] = useState<readonly string[]>([]);
  const [saved, setSaved] = useState<Save & { readonly version: string | undefined }>();
  // Rows of servers without versions have no editors either.
  const isFollowed = Boolean(version);
  useEffect(() => {
    if (!isFollowed || !form.row) return;
    const record = { entity: form.crud.entity.name, id: form.row.id };
    const input = { ...record, form: form.key };
    const announce = () => observeRequest(http, editing, input, { quiet: true });
    const isOurs = (one: RecordName) => one.entity === record.entity && one.id === record.id;
    const following = new Subscription();
    following.add(
      merge(timer(0, editingIntervalMs), live.stream(LiveOpened))
        .pipe(
          exhaustMap(announce),
          // A user who may not edit the record announces nothing; without an answer the next announcement is awaited.
          takeWhile(({ success, code }) => success || code === 0),
        )
        .subscribe((answer) => answer.success && setEditors(answer.data.editors)),
    );
    following.add(live.stream(RecordEditorsChanged).subscribe((changed) => isOurs(changed) && setEditors(changed.editors)));
    following.add(live.stream(RecordSaved).subscribe((save) => isOurs(save) && setSaved({ ...save, version: form.state.basis.version })));
    return () => {
      following.unsubscribe();
      setEditors([]);
      observeRequest(http, editing, { ...input, ends: true }, { quiet: true }).subscribe();
    };
  }, [form, http, live, isFollowed]);
  return { editors, saved: saved?.version === version ? saved : undefined };
}
