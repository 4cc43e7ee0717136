import { useEffect, useMemo, useRef, useState } from 'react';
import { of } from 'rxjs';
import { Http } from '../http/http.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Dialogs } from '../shell/dialogs.ts';
import { Toasts } from '../shell/toasts.ts';
import { useStream } from '../use-stream.ts';
import type { CrudPageProps, Row } from './crud-screen.ts';
import type { CrudStore } from './crud-store.ts';
import { FormStore } from './form-store.ts';
import { useUnsavedChanges } from './use-unsaved-changes.ts';

interface OpenedForm {
  readonly form: FormStore | undefined;
  /** Edits a row, or adds one. */
  open(row?: Row): void;
  /** Asks first when there are unsaved changes; does nothing while saving. */
  close(): Promise<void>;
}

/** The form of a screen: opened for a row or a new one, closed when it has saved; focus goes back to where it was opened. */
export function useOpenedForm(store: CrudStore, { crud, initial, filter }: CrudPageProps): OpenedForm {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const text = useText();
  const say = useWords();
  const [form, setForm] = useState<FormStore>();
  const opener = useRef<Element | null>(null);
  const dirty$ = useMemo(() => form?.select((state) => state.dirty) ?? of(false), [form]);
  useUnsavedChanges(useStream(dirty$, false));

  useEffect(() => {
    if (form || !(opener.current instanceof HTMLElement)) return;
    opener.current.focus();
    opener.current = null;
  }, [form]);

  const leave = (opened: FormStore) => {
    opened.lifetime.unsubscribe();
    setForm(undefined);
  };

  const open = (row?: Row) => {
    opener.current = document.activeElement;
    const opened = new FormStore(http, crud, row, { ...initial, ...filter });
    opened.lifetime.add(
      opened.saved$.subscribe(({ success, words }) => {
        if (words) toasts.error(say(words));
        if (!success) return;
        toasts.success(text(row ? 'crud.updated' : 'crud.added'));
        leave(opened);
        store.reload();
      }),
    );
    opened.lifetime.add(
      opened.gone$.subscribe(() => {
        leave(opened);
        store.reload();
      }),
    );
    setForm(opened);
  };

  const close = async () => {
    if (!form || form.state.status === 'saving') return;
    const question = {
      title: text('crud.discardTitle'),
      content: text('crud.discardHint'),
      confirm: text('crud.discard'),
      cancel: text('crud.keepEditing'),
      danger: true,
    };
    if (!form.state.dirty || (await dialogs.confirm(question))) leave(form);
  };

  return { form, open, close };
}
