import { useState } from 'react';
import { CrudPage, type CrudScreen, Dialogs, Http, SidePanel, Toasts, useQuery, useService, useTranslation } from '#kernel';
import { type TaskRow, task, taskTransitions } from '../contract.ts';
import { taskMenu } from '../menus.ts';
import { consoleMessages, timelineMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import styles from './Workbench.module.css';

const fields: readonly (keyof TaskRow)[] = [
  'title',
  'status',
  'advertiserId',
  'categoryId',
  'requirement',
  'steps',
  'cover',
  'content',
  'resourceIds',
  'platformId',
  'cityIds',
  'startTime',
  'endTime',
  'gradeId',
  'unitPrice',
  'quantity',
  'perUserLimit',
  'budget',
  'claimed',
  'submitted',
  'passed',
  'remark',
  'draft',
  'createTime',
];

/** Columns that are hidden until the user shows them. */
const hiddenColumns = ['requirement', 'steps', 'cover', 'content', 'gradeId', 'perUserLimit', 'cityIds', 'startTime', 'remark', 'draft', 'createTime'];

const canPublish = ({ status }: TaskRow) => taskTransitions.publish.includes(status);
const canTakeDown = ({ status }: TaskRow) => taskTransitions.takeDown.includes(status);
const canChange = ({ status }: TaskRow) => taskTransitions.change.includes(status);

/** Lists tasks in all states from draft to finished. */
export default function TaskPage() {
  const { publish, takeDown, copy } = useTaskActions();
  const [openTask, setOpenTask] = useState<TaskRow>();
  return (
    <>
      <CrudPage
        crud={task}
        title={taskMenu.title}
        noun={nouns.task}
        presentation="drawer"
        formWidth={860}
        fields={fields}
        columns={Object.fromEntries(hiddenColumns.map((name) => [name, { hidden: true }]))}
        actions={{
          edit: canChange,
          remove: canChange,
          toolbar: [
            { title: consoleMessages.publish, code: 'tasks_publish', when: canPublish, onClick: (ids, screen) => void publish(ids, undefined, screen) },
            { title: consoleMessages.takeDown, code: 'tasks_xiajia', when: canTakeDown, onClick: (ids, screen) => void takeDown(ids, screen) },
          ],
          row: [
            { title: consoleMessages.publish, code: 'tasks_publish', when: canPublish, onClick: ({ id, title }, screen) => void publish([id], title, screen) },
            { title: consoleMessages.takeDown, code: 'tasks_xiajia', when: canTakeDown, onClick: ({ id }, screen) => void takeDown([id], screen) },
            { title: consoleMessages.copy, code: 'tasks_add', onClick: ({ id }, screen) => void copy(id, screen) },
            { title: consoleMessages.timeline, onClick: setOpenTask },
          ],
        }}
      />
      {openTask && <Timeline of={openTask} onClose={() => setOpenTask(undefined)} />}
    </>
  );
}

/** Shows the history of a task, the latest entry first. */
function Timeline({ of: { id, title }, onClose }: { readonly of: TaskRow; readonly onClose: () => void }) {
  const t = useTranslation();
  const { data, isFetching } = useQuery(task.timeline, { id });
  return (
    <SidePanel open title={t(consoleMessages.timelineOf, { title })} width={420} onClose={onClose}>
      <ol className={styles.timeline} aria-busy={isFetching}>
        {data?.map((entry) => (
          <li key={entry.id}>
            <strong>{t(timelineMessages[entry.kind])}</strong>
            <span>{entry.userName || t(consoleMessages.bySystem)}</span>
            <time>{entry.time}</time>
          </li>
        ))}
      </ol>
    </SidePanel>
  );
}

type Screen = Pick<CrudScreen<TaskRow>, 'reload' | 'edit'>;

/** Actions on tasks without a form; those that claimers notice ask for confirmation first. */
function useTaskActions() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();

  const done = ({ reload }: Pick<Screen, 'reload'>) => {
    toasts.success(t(consoleMessages.done));
    reload();
  };
  const confirmAction = (title: string, content: string, danger = false) =>
    dialogs.confirm({ title, content, confirm: title, cancel: t(consoleMessages.cancel), danger });

  return {
    publish: async (ids: readonly string[], title: string | undefined, screen: Screen) => {
      const question = title === undefined ? t(consoleMessages.publishMany, { count: ids.length }) : t(consoleMessages.publishQuestion, { title });
      if (!(await confirmAction(t(consoleMessages.publish), question))) return;
      if ((await http.send(task.publish, { ids: [...ids] })).success) done(screen);
    },
    takeDown: async (ids: readonly string[], screen: Screen) => {
      if (!(await confirmAction(t(consoleMessages.takeDown), t(consoleMessages.takeDownQuestion), true))) return;
      if ((await http.send(task.takeDown, { ids: [...ids] })).success) done(screen);
    },
    copy: async (id: string, screen: Screen) => {
      const response = await http.send(task.copy, { id });
      if (!response.success) return;
      toasts.success(t(consoleMessages.copied));
      screen.reload();
      screen.edit(response.data);
    },
  };
}
