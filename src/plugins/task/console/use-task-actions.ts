import { type CrudScreen, Dialogs, Http, Toasts, useService, useTranslation } from '#kernel';
import { type TaskRow, task } from '../contract.ts';
import { consoleMessages } from './messages.ts';

type Screen = Pick<CrudScreen<TaskRow>, 'reload' | 'edit'>;

/** Actions on tasks without a form; those that claimers notice ask for confirmation first. */
export function useTaskActions() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();

  const done = ({ reload }: Pick<Screen, 'reload'>) => {
    toasts.success(t(consoleMessages.done));
    reload();
  };
  const asked = (title: string, content: string, danger = false) =>
    dialogs.confirm({ title, content, confirm: title, cancel: t(consoleMessages.cancel), danger });

  return {
    publish: async (ids: readonly string[], title: string | undefined, screen: Screen) => {
      const question = title === undefined ? t(consoleMessages.publishMany, { count: ids.length }) : t(consoleMessages.publishQuestion, { title });
      if (!(await asked(t(consoleMessages.publish), question))) return;
      if ((await http.send(task.publish, { ids: [...ids] })).success) done(screen);
    },
    takeDown: async (ids: readonly string[], screen: Screen) => {
      if (!(await asked(t(consoleMessages.takeDown), t(consoleMessages.takeDownQuestion), true))) return;
      if ((await http.send(task.takeDown, { ids: [...ids] })).success) done(screen);
    },
    copy: async (id: string, screen: Screen) => {
      const answer = await http.send(task.copy, { id });
      if (!answer.success) return;
      toasts.success(t(consoleMessages.copied));
      screen.reload();
      screen.edit(answer.data);
    },
  };
}
