import { useEffect, useMemo, useRef, useState } from 'react';
import { of } from 'rxjs';
import { Http } from '../http/http.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Dialogs } from '../shell/dialogs.ts';
import { Toasts } from '../shell/toasts.ts';
import { useStream } from '../use-stream.ts';
import { useUnmount } from '../use-unmount.ts';
import type { CrudPageProps, Row } from './crud-screen.ts';
import { formFields } from './entity-fields.ts';
import { FormStore } from './form-store.ts';
import { useUnsavedChanges } from './use-unsaved-changes.ts';

interface OpenedForm {
  readonly form: FormStore | undefined;
  /** Edits a row, or adds one that begins with what the page gives and with `given`. */
  open(row?: Row, given?: Readonly<Record<string, unknown>>): void;
  /** Asks first when there are unsaved changes; does nothing while saving. */
  close(): Promise<void>;
}

/** The form of a screen: opened for a row or a new one, closed when it has saved; focus goes back to where it was opened. */
export function useOpenedForm(reload: () => void, { crud, fields, initial, filter, parents }: CrudPageProps): OpenedForm {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const text = useText();
  const say = useWords();
  const [form, setForm] = useState<FormStore>();
  const opener = useRef<Element | null>(null);
  const dirty$ = useMemo(() => form?.select((state) => state.dirty) ?? of(false), [form]);
  useUnsavedChanges(useStream(dirty$, false));
  useUnmount(form, (left) => left?.lifetime.unsubscribe());

  useEffect(() => {
    if (form || !(opener.current instanceof HTMLElement)) return;
    opener.current.focus();
    opener.current = null;
  }, [form]);

  const leave = (opened: FormStore) => {
    opened.lifetime.unsubscribe();
    setForm(undefined);
  };

  const open = (row?: Row, given?: Readonly<Record<string, unknown>>) => {
    opener.current = document.activeElement;
    const begin = { ...initial, ...filter, ...given };
    // What is filled in without being shown is sent as well.
    const sent = fields && [...new Set([...fields, ...Object.keys(begin)])];
    const opened = new FormStore(http, crud, formFields(crud.entity, sent, parents), row, begin);
    opened.lifetime.add(
      opened.saved$.subscribe(({ success, words }) => {
        if (words) toasts.error(say(words));
        if (!success) return;
        toasts.success(text(row ? 'crud.updated' : 'crud.added'));
        leave(opened);
        reload();
      }),
    );
    opened.lifetime.add(
      opened.gone$.subscribe(() => {
        leave(opened);
        reload();
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
