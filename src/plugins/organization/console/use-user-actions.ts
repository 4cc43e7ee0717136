import { type CrudScreen, Dialogs, Http, Toasts, useService, useTranslation } from '#kernel';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { resetSecondFactor } from '#shared/second-factor';
import { unlockUsers } from '#shared/sessions';
import type { LocalizedText } from '#shared/text';
import { type UserRow, user, userStatus } from '../contract.ts';
import { consoleMessages } from './messages.ts';

/** Maximum number of users a confirmation names; a longer text would not be read. */
const maxNamesShown = 20;
const listSeparator: LocalizedText = ['、', ', '];

/** Actions on accounts without a form; irreversible ones ask for confirmation first. */
export function useUserActions() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();

  const confirmAction = (title: string, content: string) =>
    dialogs.confirm({ title, content, confirm: title, cancel: t(consoleMessages.cancel), danger: true });

  const setStatus = async (ids: readonly string[], status: 1 | 2, { reload }: Pick<CrudScreen<UserRow>, 'reload'>) => {
    if (status === userStatus.disabled && !(await confirmAction(t(consoleMessages.disable), t(consoleMessages.disableQuestion)))) return;
    const answer = await http.send(user.updateStatus, { ids: [...ids], status });
    if (!answer.success) return;
    toasts.success(t(consoleMessages.statusChanged));
    reload();
  };

  /** Resolves to the new passwords; undefined when the action was cancelled or refused. */
  const resetPasswords = async (ids: readonly string[]): Promise<readonly OneTimePassword[] | undefined> => {
    const users = await Promise.all(ids.slice(0, maxNamesShown).map((id) => http.send(user.detail, { id })));
    const names = users.map((answer) => (answer.success ? `${answer.data.realName} (${answer.data.account})` : '')).join(t(listSeparator));
    const named = ids.length > maxNamesShown ? t(consoleMessages.namesMore, { names, count: ids.length }) : names;
    if (!(await confirmAction(t(consoleMessages.reset), t(consoleMessages.resetQuestion, { names: named })))) return undefined;
    const answer = await http.send(user.resetPassword, { userIds: [...ids] });
    return answer.success ? answer.data.passwords : undefined;
  };

  return {
    setStatus,
    resetPasswords,
    toggle: ({ id, status }: UserRow, screen: Pick<CrudScreen<UserRow>, 'reload'>) =>
      setStatus([id], status === userStatus.enabled ? userStatus.disabled : userStatus.enabled, screen),
    unlock: async ({ id }: UserRow) => {
      const answer = await http.send(unlockUsers, { userIds: [id] });
      if (answer.success) toasts.success(t(consoleMessages.unlocked));
    },
    resetFactor: async ({ id, realName }: UserRow) => {
      if (!(await confirmAction(t(consoleMessages.resetFactor), t(consoleMessages.resetFactorQuestion, { name: realName })))) return;
      const answer = await http.send(resetSecondFactor, { userIds: [id] });
      if (answer.success) toasts.success(t(consoleMessages.factorReset));
    },
  };
}
