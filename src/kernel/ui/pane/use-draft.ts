import { useContext, useMemo, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { JsonStorage } from '../../platform/browser/storage.ts';
import { Session } from '../../platform/session/session.ts';
import { PaneContext } from './pane-context.ts';

/** Format of stored drafts; those of another format are dropped. */
const version = 2;

/** Input of a form that survives a reload. */
export interface Draft<Values extends object> {
  /** Input that was stored before the page was reloaded. */
  readonly found: Values | undefined;
  /** Stores the input until the browser's tab is closed; never pass a secret. */
  store(values: Values): void;
  discard(): void;
}

/** Stores unsaved input of a form under a name, per browser tab, user and page; closing the page removes it, the end of the session does not. */
export function useDraft<Values extends object>(name: string): Draft<Values> {
  const session = useService(Session);
  const { lifetime } = useContext(PaneContext);
  const local = useService(JsonStorage);
  const storage = useMemo(() => new JsonStorage(sessionStorage, local.keyOf('')), [local]);
  const fullName = `draft:${session.user?.tenant_id ?? ''}:${session.user?.user_id ?? ''}:${name}`;
  const [found, setFound] = useState(() => {
    // Closing the page asks about unsaved changes first; the end of a session does not, so its draft stays.
    lifetime?.add(() => session.user && storage.remove(fullName));
    const stored = storage.read<{ readonly version?: number; readonly values?: Values }>(fullName);
    return stored?.version === version ? stored.values : undefined;
  });
  return useMemo(
    () => ({
      found,
      store: (values) => storage.write(fullName, { version, values }),
      discard: () => {
        storage.remove(fullName);
        setFound(undefined);
      },
    }),
    [found, storage, fullName],
  );
}
