import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { type BatchAction, CrudPage, type CrudScreen, Http, lazyComponent, SidePanel, Toasts, useQuery, useService, useTranslation } from '#kernel';
import { type PublicationPlan, publicationPlan, type TaskRow, task, taskStates, taskTransitions } from '../contract.ts';
import { taskMenu } from '../menus.ts';
import { consoleMessages, nouns, timelineMessages } from './messages.ts';
import { taskFields } from './task-fields.ts';
import styles from './Workbench.module.css';

/** Columns that are hidden until the user shows them. */
const hiddenColumns = ['requirement', 'steps', 'cover', 'content', 'gradeId', 'perUserLimit', 'cityIds', 'startTime', 'remark', 'draft', 'createTime'];

const canPublish = ({ status }: TaskRow) => taskTransitions.publish.includes(status);
const canTakeDown = ({ status }: TaskRow) => taskTransitions.takeDown.includes(status);
const canChange = ({ status }: TaskRow) => taskTransitions.change.includes(status);

/** Lists tasks in all states from draft to finished. */
export default function TaskPage() {
  const { publish, takeDown, copy, sheet } = useTaskActions();
  const [openTask, setOpenTask] = useState<TaskRow>();
  return (
    <>
      <CrudPage
        crud={task}
        title={taskMenu.title}
        noun={nouns.task}
        presentation="drawer"
        formWidth={860}
        fields={taskFields}
        columns={Object.fromEntries(hiddenColumns.map((name) => [name, { hidden: true }]))}
        actions={{
          edit: canChange,
          remove: canChange,
          toolbar: [
            { title: consoleMessages.publish, code: 'tasks_publish', when: canPublish, onClick: (ids, { batch }) => batch(ids, publish) },
            { title: consoleMessages.takeDown, code: 'tasks_xiajia', when: canTakeDown, onClick: (ids, { batch }) => batch(ids, takeDown) },
          ],
          row: [
            {
              title: consoleMessages.publish,
              code: 'tasks_publish',
              when: canPublish,
              moves: { status: taskStates.published },
              onClick: ({ id }, { batch }) => batch([id], publish),
            },
            {
              title: consoleMessages.takeDown,
              code: 'tasks_xiajia',
              when: canTakeDown,
              moves: { status: taskStates.takenDown },
              onClick: ({ id }, { batch }) => batch([id], takeDown),
            },
            { title: consoleMessages.copy, code: 'tasks_add', onClick: ({ id }, screen) => copy(id, screen) },
            { title: consoleMessages.timeline, onClick: setOpenTask },
          ],
        }}
      />
      {sheet}
      {openTask && <Timeline task={openTask} onClose={() => setOpenTask(undefined)} />}
    </>
  );
}

/** Shows the history of a task, the latest entry first. */
function Timeline({ task: { id, title }, onClose }: { readonly task: TaskRow; readonly onClose: () => void }) {
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

/** Actions on tasks that need no form. Those that affect claimers ask for confirmation first. */
function useTaskActions() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const send = (call: typeof task.publish | typeof task.takeDown) => async (ids: readonly string[]) => {
    const { success, data } = await http.send(call, { ids: [...ids], partial: true });
    return success ? data : undefined;
  };
  const { sheet, confirm } = usePublication();
  const publishConfirmed = send(task.publish);
  const publish: BatchAction = {
    title: consoleMessages.publish,
    done: consoleMessages.publishDone,
    send: async (ids) => ((await confirm(ids)) ? publishConfirmed(ids) : undefined),
  };
  const takeDown: BatchAction = {
    title: consoleMessages.takeDown,
    question: { one: consoleMessages.takeDownQuestion, many: consoleMessages.takeDownMany, isDangerous: true },
    done: consoleMessages.takeDownDone,
    send: send(task.takeDown),
  };
  const copy = async (id: string, screen: Pick<CrudScreen<TaskRow>, 'reload' | 'edit'>) => {
    const response = await http.send(task.copy, { id });
    if (!response.success) return;
    toasts.success(t(consoleMessages.copied));
    screen.reload();
    screen.edit(response.data);
  };
  return { publish, takeDown, copy, sheet };
}

const PublishSheet = lazyComponent(() => import('./PublishSheet.tsx'));

interface PublicationQuestion {
  readonly plan: PublicationPlan;
  /** Number of tasks that were selected. */
  readonly count: number;
}

/** Asks before tasks are published, and shows their cost and the money of their advertisers. It does not ask if none of the tasks can be published. */
function usePublication() {
  const http = useService(Http);
  const [question, setQuestion] = useState<PublicationQuestion>();
  /** Answers the open question, if there is one. */
  const answer = useRef<(isConfirmed: boolean) => void>(() => undefined);
  const close = useCallback((isConfirmed: boolean) => {
    answer.current(isConfirmed);
    setQuestion(undefined);
  }, []);
  // A page that is closed or hidden answers the question with no.
  useEffect(() => () => close(false), [close]);
  const confirm = async (ids: readonly string[]): Promise<boolean> => {
    const { success, data: plan } = await http.send(publicationPlan, { ids: [...ids] });
    if (!success) return false;
    if (plan.shares.length === 0) return true;
    answer.current(false);
    return new Promise((resolve) => {
      answer.current = resolve;
      setQuestion({ plan, count: ids.length });
    });
  };
  const sheet: ReactNode = question && (
    <Suspense>
      <PublishSheet plan={question.plan} count={question.count} onClose={close} />
    </Suspense>
  );
  return { sheet, confirm };
}
