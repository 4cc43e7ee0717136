import { useState } from 'react';
import { CrudPage } from '#kernel';
import { type TaskRow, task, taskMoves } from '../contract.ts';
import { taskMenu } from '../menus.ts';
import { consoleMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import { Timeline } from './Timeline.tsx';
import { useTaskActions } from './use-task-actions.ts';

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
  const [asked, setAsked] = useState<TaskRow>();
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
            { title: consoleMessages.timeline, onClick: setAsked },
          ],
        }}
      />
      {asked && <Timeline of={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
