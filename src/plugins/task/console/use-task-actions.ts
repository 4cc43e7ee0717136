import { type CrudScreen, Dialogs, Http, Toasts, useService, useWords } from '#kernel';
import { type TaskRow, task } from '../contract.ts';
import { consoleWords } from './words.ts';

type Screen = Pick<CrudScreen<TaskRow>, 'reload' | 'edit'>;

/** Actions on tasks without a form; those that claimers notice ask for confirmation first. */
export function useTaskActions() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const say = useWords();

  const done = ({ reload }: Pick<Screen, 'reload'>) => {
    toasts.success(say(consoleWords.done));
    reload();
  };
  const asked = (title: string, content: string, danger = false) =>
    dialogs.confirm({ title, content, confirm: title, cancel: say(consoleWords.cancel), danger });

  return {
    publish: async (ids: readonly string[], title: string | undefined, screen: Screen) => {
      const question = title === undefined ? say(consoleWords.publishMany, { count: ids.length }) : say(consoleWords.publishQuestion, { title });
      if (!(await asked(say(consoleWords.publish), question))) return;
      if ((await http.send(task.publish, { ids: [...ids] })).success) done(screen);
    },
    takeDown: async (ids: readonly string[], screen: Screen) => {
      if (!(await asked(say(consoleWords.takeDown), say(consoleWords.takeDownQuestion), true))) return;
      if ((await http.send(task.takeDown, { ids: [...ids] })).success) done(screen);
    },
    copy: async (id: string, screen: Screen) => {
      const answer = await http.send(task.copy, { id });
      if (!answer.success) return;
      toasts.success(say(consoleWords.copied));
      screen.reload();
      screen.edit(answer.data);
    },
  };
}
