import { type BatchAction, Dialogs, Http, Toasts, useService, useTranslation } from '#kernel';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { resetSecondFactor } from '#shared/second-factor';
import { unlockUsers } from '#shared/sessions';
import type { LocalizedText } from '#shared/text';
import { type UserRow, user, userStatus } from '../contract.ts';
import { consoleMessages } from './messages.ts';

/** Maximum number of users a confirmation names; a longer text would not be read. */
const maxNamesShown = 20;
const listSeparator: LocalizedText = ['、', ', '];

/** E-mails new passwords to users. */
const passwordMailing = (http: Http): BatchAction => ({
  title: consoleMessages.mailPasswords,
  question: { one: consoleMessages.mailPasswordOne, many: consoleMessages.mailPasswordMany, isDangerous: true },
  done: consoleMessages.passwordsMailed,
  send: async (ids) => {
    const { success, data } = await http.send(user.mailPasswords, { ids: [...ids], partial: true });
    return success ? data : undefined;
  },
});

/** E-mails new passwords in place of shown ones, and returns the accounts that get one. */
const mailInstead =
  (http: Http, toasts: Toasts) =>
  async (ids: readonly string[]): Promise<readonly string[]> => {
    const answer = await http.send(user.mailPasswords, { ids: [...ids], partial: true });
    if (!answer.success) return [];
    const rows = answer.data?.rows ?? [];
    for (const { message } of rows) toasts.warning(message);
    return ids.filter((id) => !rows.some((row) => row.id === id));
  };

/** Actions on accounts without a form; irreversible ones ask for confirmation first. */
export function useUserActions() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();

  const confirmAction = (title: string, content: string) =>
    dialogs.confirm({ title, content, confirm: title, cancel: t(consoleMessages.cancel), danger: true });

  const setStatus = (status: 1 | 2): BatchAction => ({
    ...(status === userStatus.enabled
      ? { title: consoleMessages.enable }
      : { title: consoleMessages.disable, question: { one: consoleMessages.disableOne, many: consoleMessages.disableQuestion, isDangerous: true } }),
    done: consoleMessages.statusChanged,
    send: async (ids) => {
      const { success, data } = await http.send(user.updateStatus, { ids: [...ids], status, partial: true });
      return success ? data : undefined;
    },
  });

  /** Passes the new passwords to `onReset`. */
  const resetPasswords = (onReset: (passwords: readonly OneTimePassword[]) => void): BatchAction => ({
    title: consoleMessages.reset,
    done: consoleMessages.passwordsReset,
    send: async (ids) => {
      if (!(await confirmReset(ids))) return undefined;
      const { success, data } = await http.send(user.resetPassword, { userIds: [...ids], partial: true });
      if (success && data.passwords.length > 0) onReset(data.passwords);
      return success ? data : undefined;
    },
  });
  const confirmReset = async (ids: readonly string[]) => {
    const users = await Promise.all(ids.slice(0, maxNamesShown).map((id) => http.send(user.detail, { id })));
    const names = users.map((answer) => (answer.success ? `${answer.data.realName} (${answer.data.account})` : '')).join(t(listSeparator));
    const named = ids.length > maxNamesShown ? t(consoleMessages.namesMore, { names, count: ids.length }) : names;
    return confirmAction(t(consoleMessages.reset), t(consoleMessages.resetQuestion, { names: named }));
  };

  return {
    setStatus,
    mailInstead: mailInstead(http, toasts),
    resetPasswords,
    mailPasswords: passwordMailing(http),
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
