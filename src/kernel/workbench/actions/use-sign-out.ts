import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { useText } from '../../platform/i18n/use-words.ts';
import { Session } from '../../platform/session/session.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Returns a function that signs out after confirmation, with a warning when unsaved changes would be lost. */
export function useSignOut(): () => void {
  const text = useText();
  const session = useService(Session);
  const dialogs = useService(Dialogs);
  const tabs = useService(TabStore);
  return async () => {
    const content = text(tabs.isDirty ? 'shell.signOutUnsaved' : 'shell.signOutQuestion');
    const isSure = await dialogs.confirm({ title: text('shell.signOutTitle'), content, confirm: text('shell.confirm'), cancel: text('shell.cancel') });
    if (isSure) await session.signOut();
  };
}
