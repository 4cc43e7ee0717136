import { useContext, useEffect, useMemo, useState } from 'react';
import { debounceTime, filter } from 'rxjs';
import { useService } from '../../base/react/services.tsx';
import { JsonStorage } from '../../platform/browser/storage.ts';
import { Session } from '../../platform/session/session.ts';
import { PaneContext } from '../../ui/pane/pane-context.ts';
import type { FormStore } from '../form/form-store.ts';
import type { CrudPageProps } from '../model/crud-screen.ts';
import { formFields } from '../model/entity-fields.ts';

const version = 1;

/** Input that was not saved when the page was left. */
export interface FormDraft {
  /** Id of the edited row; absent for a new one. */
  readonly rowId?: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Field names of the form: a form that has changed since ignores the draft. */
  readonly fields: string;
}

/** Reads the draft of a screen; ignores one of another version or of another form. */
function readDraft(storage: JsonStorage, name: string, fields: string): FormDraft | undefined {
  const storedDraft = storage.read<Partial<FormDraft> & { version?: number }>(name);
  const isOurs =
    storedDraft?.version === version && storedDraft.fields === fields && typeof storedDraft.values === 'object' && typeof storedDraft.at === 'number';
  return isOurs ? (storedDraft as FormDraft) : undefined;
}

/** Stores the draft of a screen until the browser's tab is closed. */
function writeDraft(storage: JsonStorage, name: string, draft: FormDraft): void {
  storage.write(name, { version, ...draft });
}

interface Drafts {
  /** Draft that was left before the page was reloaded. */
  readonly found: FormDraft | undefined;
  discard(): void;
}

/** Stores unsaved input through a reload, per browser tab, user, page and fixed filter of the list; secrets are never stored, and closing the page removes the draft. */
export function useFormDraft({ crud, parents, filter: baseFilter }: CrudPageProps, form: FormStore | undefined): Drafts {
  const session = useService(Session);
  const { user } = session;
  const { key = '', lifetime } = useContext(PaneContext);
  const local = useService(JsonStorage);
  const storage = useMemo(() => new JsonStorage(sessionStorage, local.keyOf('')), [local]);
  const name = `draft:${user?.tenant_id ?? ''}:${user?.user_id ?? ''}:${crud.list.path}:${key}:${baseFilter ? JSON.stringify(baseFilter) : ''}`;
  const fields = formFields(crud.entity, undefined, parents);
  const shape = fields.map((field) => `${field.name}:${field.traits.widget}`).join();
  const [found, setFound] = useState(() => {
    // Closing the page asks about unsaved changes first; the end of a session does not, so its draft stays.
    lifetime?.add(() => session.user && storage.remove(name));
    return readDraft(storage, name, shape);
  });

  useEffect(() => {
    if (!form) return;
    const keeping = form.state$
      .pipe(
        filter(({ dirty, status }) => dirty && status === 'editing'),
        debounceTime(400),
      )
      .subscribe(({ values, dirty }) => {
        if (!dirty || form.lifetime.closed) return;
        const open = form.fields.filter(({ traits }) => traits.widget !== 'secret').map((field) => [field.name, values[field.name]]);
        writeDraft(storage, name, { rowId: form.row?.id, values: Object.fromEntries(open), at: Date.now(), fields: shape });
      });
    return () => keeping.unsubscribe();
  }, [form, storage, name, shape]);

  const forget = () => {
    storage.remove(name);
    setFound(undefined);
  };
  return { found, discard: forget };
}
