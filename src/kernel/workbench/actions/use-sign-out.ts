import { useService } from '../../base/react/services.tsx';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Returns a function that signs out after confirmation, with a warning when unsaved changes would be lost. */
export function useSignOut(): () => void {
  const t = useTranslation();
  const session = useService(Session);
  const dialogs = useService(Dialogs);
  const tabs = useService(TabStore);
  return async () => {
    const content = t(tabs.isDirty ? 'shell.signOutUnsaved' : 'shell.signOutQuestion');
    const isSure = await dialogs.confirm({ title: t('shell.signOutTitle'), content, confirm: t('shell.confirm') });
    if (isSure) await session.signOut();
  };
}
