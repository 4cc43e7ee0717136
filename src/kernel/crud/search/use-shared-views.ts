import { type SharedView, sharedViews } from '#shared/views';
import { Http } from '../../http/http.ts';
import { useText } from '../../i18n/use-words.ts';
import { useService } from '../../services.tsx';
import { Toasts } from '../../shell/toasts.ts';
import { useAsked } from '../../use-asked.ts';
import type { CrudCalls } from '../crud-screen.ts';
import { type NamedView, sharedForm } from './views.ts';

/** The views of a table that people of this tenant share, and what this user may do about them. */
export interface SharedViews {
  readonly all: readonly SharedView[];
  readonly hasFailed: boolean;
  /** The one this user shares under a name. */
  own(name: string): SharedView | undefined;
  /** Shares a view, or what has become of it. */
  share(view: NamedView): Promise<void>;
  withdraw(view: SharedView): Promise<void>;
  reload(): void;
}

const none: readonly SharedView[] = [];

/** Asks for the shared views of a table, and again once they have changed. */
export function useSharedViews({ list }: CrudCalls): SharedViews {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const text = useText();
  const { reply: all = none, hasFailed, reload } = useAsked(sharedViews.list, { of: list.path });
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
    share: ({ name, ...view }) => told(http.send(sharedViews.share, { of: list.path, name, view: sharedForm(view) }), text('table.viewShared', { name })),
    withdraw: ({ id, name }) => told(http.send(sharedViews.withdraw, { id }), text('table.viewWithdrawn', { name })),
  };
}
