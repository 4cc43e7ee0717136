import { useState } from 'react';
import { CrudPage, type CrudScreen, Dialogs, Http, SidePanel, Toasts, useQuery, useService, useTranslation } from '#kernel';
import { type TaskRow, task, taskMoves } from '../contract.ts';
import { taskMenu } from '../menus.ts';
import { consoleMessages, stepMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import styles from './Workbench.module.css';

const shown: readonly (keyof TaskRow)[] = [
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

const mayPublish = ({ status }: TaskRow) => taskMoves.publish.includes(status);
const mayTakeDown = ({ status }: TaskRow) => taskMoves.takeDown.includes(status);
const mayChange = ({ status }: TaskRow) => taskMoves.change.includes(status);

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
        fields={shown}
        columns={{
          requirement: { hidden: true },
          steps: { hidden: true },
          cover: { hidden: true },
          content: { hidden: true },
          gradeId: { hidden: true },
          perUserLimit: { hidden: true },
          cityIds: { hidden: true },
          startTime: { hidden: true },
          remark: { hidden: true },
          draft: { hidden: true },
          createTime: { hidden: true },
        }}
        actions={{
          edit: mayChange,
          remove: mayChange,
          toolbar: [
            { title: consoleMessages.publish, code: 'tasks_publish', when: mayPublish, onClick: (ids, screen) => void publish(ids, undefined, screen) },
            { title: consoleMessages.takeDown, code: 'tasks_xiajia', when: mayTakeDown, onClick: (ids, screen) => void takeDown(ids, screen) },
          ],
          row: [
            {
              title: consoleMessages.publish,
              code: 'tasks_publish',
              when: mayPublish,
              onClick: ({ id, title }, screen) => void publish([id], title, screen),
            },
            {
              title: consoleMessages.takeDown,
              code: 'tasks_xiajia',
              when: mayTakeDown,
              onClick: ({ id }, screen) => void takeDown([id], screen),
            },
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
  return (
    <SidePanel open title={t(consoleMessages.timelineOf, { title })} width={420} onClose={onClose}>
      <Steps id={id} />
    </SidePanel>
  );
}

function Steps({ id }: { readonly id: string }) {
  const t = useTranslation();
  const { data, isFetching } = useQuery(task.timeline, { id });
  return (
    <ol className={styles.timeline} aria-busy={isFetching}>
      {data?.map(({ id: step, kind, time, userName }) => (
        <li key={step}>
          <strong>{t(stepMessages[kind])}</strong>
          <span>{userName || t(consoleMessages.bySystem)}</span>
          <time>{time}</time>
        </li>
      ))}
    </ol>
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
      const answer = await http.send(task.copy, { id });
      if (!answer.success) return;
      toasts.success(t(consoleMessages.copied));
      screen.reload();
      screen.edit(answer.data);
    },
  };
}
