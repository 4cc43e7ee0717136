import { type CrudScreen, Dialogs, Http, Toasts, useService, useWords } from '#kernel';
import { resetSecondFactor } from '#shared/second-factor';
import { unlockUsers } from '#shared/sessions';
import { type UserRow, user, userStatus } from '../contract.ts';
import { consoleWords } from './words.ts';

/** What is done to accounts without a form; what cannot be taken back is asked about first. */
export function useUserActions() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const say = useWords();

  const asked = (title: string, content: string) => dialogs.confirm({ title, content, confirm: title, cancel: say(consoleWords.cancel), danger: true });

  const setStatus = async (ids: readonly string[], status: 1 | 2, { reload }: Pick<CrudScreen<UserRow>, 'reload'>) => {
    if (status === userStatus.disabled && !(await asked(say(consoleWords.disable), say(consoleWords.disableQuestion)))) return;
    const answer = await http.send(user.updateStatus, { ids: [...ids], status });
    if (!answer.success) return;
    toasts.success(say(consoleWords.statusChanged));
    reload();
  };

  return {
    setStatus,
    toggle: ({ id, status }: UserRow, screen: Pick<CrudScreen<UserRow>, 'reload'>) =>
      setStatus([id], status === userStatus.enabled ? userStatus.disabled : userStatus.enabled, screen),
    unlock: async ({ id }: UserRow) => {
      const answer = await http.send(unlockUsers, { userIds: [id] });
      if (answer.success) toasts.success(say(consoleWords.unlocked));
    },
    resetFactor: async ({ id, realName }: UserRow) => {
      if (!(await asked(say(consoleWords.resetFactor), say(consoleWords.resetFactorQuestion, { name: realName })))) return;
      const answer = await http.send(resetSecondFactor, { userIds: [id] });
      if (answer.success) toasts.success(say(consoleWords.factorReset));
    },
  };
}
