import { type SharedView, sharedViews } from '#shared/views';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls } from '../model/crud-screen.ts';
import { type NamedView, sharedForm } from './views.ts';

/** Views of a table shared within the tenant, and the operations of this user on them. */
export interface SharedViews {
  readonly all: readonly SharedView[];
  readonly hasFailed: boolean;
  /** Returns the view this user shares under a name. */
  own(name: string): SharedView | undefined;
  /** Shares a view, or updates the shared one of the same name. */
  share(view: NamedView): Promise<void>;
  withdraw(view: SharedView): Promise<void>;
  reload(): void;
}

const none: readonly SharedView[] = [];

/** Loads the shared views of a table, and again once they have changed. */
export function useSharedViews({ list }: CrudCalls): SharedViews {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const { reply: all = none, hasFailed, reload } = useQuery(sharedViews.list, { of: list.path });
  const told = async (asked: Promise<{ success: boolean }>, words: string) => {
    const answer = await asked.catch(() => undefined);
    if (!answer?.success) return;
    toasts.success(words);
    reload();
  };
  return {
    all,
    hasFailed,
    reload,
    own: (name) => all.find((one) => one.isOwn && one.name === name),
    share: ({ name, ...view }) => told(http.send(sharedViews.share, { of: list.path, name, view: sharedForm(view) }), t('table.viewShared', { name })),
    withdraw: ({ id, name }) => told(http.send(sharedViews.withdraw, { id }), t('table.viewWithdrawn', { name })),
  };
}
