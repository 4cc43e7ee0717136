import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { jobInfo, jobInstance, jobServer, jobWorkflow } from '#plugins/job/contract';
import JobInfoPage from '../../../../src/plugins/job/console/JobInfoPage.tsx';
import JobInstancePage from '../../../../src/plugins/job/console/JobInstancePage.tsx';
import { WorkflowRuns } from '../../../../src/plugins/job/console/JobWorkflowPage.tsx';
import { WorkflowEditor } from '../../../../src/plugins/job/console/WorkflowEditor.tsx';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const nodes = ['甲', '乙', '丙'].map((jobName, index) => ({ nodeId: `n${index + 1}`, jobInfoId: String(index + 1), jobName }));
const edges = [{ from: 'n1', to: 'n2' }];
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test('nodes are connected and disconnected by pointer, keyboard and table, never in a cycle, and the graph is sent', async () => {
  const page = await showPage(<WorkflowEditor workflow={{ id: '5', jobServerId: '9' } as never} />, {
    answers: {
      [jobWorkflow.graph.path]: () => ({ nodes, edges, revision: '1' }),
      [jobInfo.list.path]: () => ({ records: [], total: 0 }),
      [jobWorkflow.saveGraph.path]: () => ({ revision: '2' }),
    },
  });
  const graph = within(await screen.findByRole('group', { name: '工作流图' }));
  const node = (name: string) => graph.getByRole('button', { name });
  await page.press(node('乙'));
  expect(node('乙').getAttribute('aria-pressed')).toBe('true');
  await page.press(node('甲'));
  expect(page.messages).toEqual(['warning: 不能形成环']);
  node('乙').focus();
  await page.user.keyboard('{Enter}');
  node('丙').focus();
  await page.user.keyboard('{Enter}');
  fireEvent.pointerDown(node('甲'));
  fireEvent.pointerUp(node('丙'));
  await page.settle();
  const row = within(screen.getByRole('row', { name: /^丙/ }));
  const boxes = row.getAllByRole('checkbox') as HTMLInputElement[];
  expect(boxes.map(({ checked }) => checked)).toEqual([true, true]);
  await page.press(boxes[0] as HTMLElement);
  expect((within(screen.getByRole('row', { name: /^甲/ })).getAllByRole('checkbox') as HTMLInputElement[]).every(({ disabled }) => disabled)).toBe(true);
  await page.press(screen.getByRole('button', { name: '保存' }));
  const sent = nodes.map(({ nodeId, jobInfoId }) => ({ nodeId, jobInfoId }));
  expect(page.inputs(jobWorkflow.saveGraph)).toEqual([{ id: '5', nodes: sent, edges: [...edges, { from: 'n2', to: 'n3' }], revision: '1' }]);
  node('乙').focus();
  await page.user.keyboard('{Delete}');
  expect(graph.getAllByRole('button')).toHaveLength(2);
});

test('an edited graph that was not saved comes back after a reload, until it is saved', async () => {
  const open = async () => {
    cleanup();
    const page = await showPage(<WorkflowEditor workflow={{ id: '5', jobServerId: '9' } as never} />, {
      answers: {
        [jobWorkflow.graph.path]: () => ({ nodes, edges }),
        [jobInfo.list.path]: () => ({ records: [], total: 0 }),
        [jobWorkflow.saveGraph.path]: () => ({ revision: '2' }),
      },
    });
    const graph = within(await screen.findByRole('group', { name: '工作流图' }));
    return { ...page, graph, shown: () => graph.getAllByRole('button').map((node) => node.getAttribute('aria-label')) };
  };
  const first = await open();
  first.graph.getByRole('button', { name: '乙' }).focus();
  await first.user.keyboard('{Delete}');
  const again = await open();
  expect(again.shown()).toHaveLength(2);
  await again.press(screen.getByRole('button', { name: '保存' }));
  expect(again.inputs(jobWorkflow.saveGraph)).toHaveLength(1);
  expect((await open()).shown()).toHaveLength(3);
});

test('a run shows the state of each node, and failed nodes can be retried', async () => {
  const run = { id: '8', state: 4, nodes: nodes.map((node, index) => ({ ...node, state: [5, 4, null][index], instanceId: null })), edges };
  const page = await showPage(
    <MemoryRouter>
      <WorkflowRuns workflowId="5" />
    </MemoryRouter>,
    {
      language: 'en',
      codes: ['jobworkflow_run'],
      answers: {
        [jobWorkflow.runs.path]: () => [{ id: '8', state: 4, startTime: '2026-01-01 00:00:00', endTime: null }],
        [jobWorkflow.runGraph.path]: () => run,
        [jobWorkflow.retry.path]: () => null,
      },
    },
  );
  const shown = within(await screen.findByRole('group', { name: 'Graph' })).getAllByRole('button');
  expect(shown.map((node) => node.getAttribute('aria-label'))).toEqual(['甲 · ✓ Succeeded', '乙 · ✕ Failed', '丙 · ○ Not started']);
  await page.press(screen.getByRole('button', { name: 'Retry failed nodes' }));
  expect(page.inputs(jobWorkflow.retry)).toEqual([{ id: '8' }]);
});

test('runs that cannot be loaded are offered again; a failed update keeps those that are shown', async () => {
  let isDown = true;
  const page = await showPage(
    <MemoryRouter>
      <WorkflowRuns workflowId="5" />
    </MemoryRouter>,
    {
      codes: ['jobworkflow_run'],
      answers: {
        [jobWorkflow.runs.path]: () => (isDown ? new Refused(500, '服务器异常') : [{ id: '8', state: 4, startTime: '2026-01-01 00:00:00', endTime: null }]),
        [jobWorkflow.runGraph.path]: () => (isDown ? new Refused(500, '服务器异常') : { id: '8', state: 4, nodes: [], edges: [] }),
        [jobWorkflow.retry.path]: () => null,
      },
    },
  );
  const failure = within(screen.getByRole('alert').parentElement as HTMLElement);
  isDown = false;
  await page.press(failure.getByRole('button', { name: '重试' }));
  expect(screen.getByRole('group', { name: '工作流图' })).toBeTruthy();
  isDown = true;
  const retry = screen.getByRole('button', { name: '重试失败节点' });
  await page.press(retry);
  expect(page.inputs(jobWorkflow.runs)).toHaveLength(3);
  expect(document.activeElement).toBe(retry);
});

test('a job of the type workflow asks for the workflow it starts instead of a processor, or is a node that has one', async () => {
  const page = await showPage(<JobInfoPage />, {
    codes: ['jobinfo_add'],
    answers: {
      [jobInfo.list.path]: () => ({ records: [], total: 0 }),
      [jobInfo.processors.path]: () => [],
      [jobInfo.workflows.path]: () => [{ id: '5', name: '夜间' }],
      [jobServer.select.path]: () => [{ id: '9', jobAppName: 'shop' }],
    },
  });
  await page.press((await screen.findAllByRole('button', { name: '新增' }))[0] as HTMLElement);
  await screen.findByRole('button', { name: '保存' });
  await page.settle();
  const dialog = within(screen.getByRole('dialog'));
  const choose = async (field: string, option: string) => {
    await page.press(dialog.getByRole('combobox', { name: field }));
    await page.press(await screen.findByRole('option', { name: option }));
  };
  expect(dialog.queryByRole('combobox', { name: /启动的工作流/ })).toBeNull();
  await choose('任务应用', 'shop');
  await choose('定时信息', '工作流');
  expect(dialog.getByLabelText('处理器参数')).toBeTruthy();
  await choose('启动的工作流', '夜间');
  expect(page.inputs(jobInfo.workflows)).toContainEqual(expect.objectContaining({ jobServerId: '9' }));
  expect(dialog.queryByLabelText('处理器参数')).toBeNull();
  expect(dialog.getByText('时间表达式')).toBeTruthy();
});

const Place = () => <p>{useLocation().search}</p>;

test('a run of such a job shows its nodes, of which each leads to its run', async () => {
  const row = {
    id: '7',
    jobInfoId: '1',
    state: 3,
    trigger: 1,
    expectedTime: '2026-01-01 00:00:00',
    runningTimes: 1,
    ownWorkflowRunId: '8',
    engineInstanceId: null,
  };
  const run = { id: '8', state: 5, nodes: nodes.map((node) => ({ ...node, state: 5, instanceId: `7${node.jobInfoId}` })), edges };
  const page = await showPage(
    <MemoryRouter>
      <JobInstancePage />
      <Routes>
        <Route path="*" element={<Place />} />
      </Routes>
    </MemoryRouter>,
    {
      codes: ['jobworkflow'],
      answers: {
        [jobInstance.list.path]: () => ({ records: [row], total: 1 }),
        [jobInfo.list.path]: () => ({ records: [], total: 0 }),
        [jobWorkflow.runGraph.path]: () => run,
      },
    },
  );
  expect(screen.queryByRole('button', { name: '日志' })).toBeNull();
  await page.press(await screen.findByRole('button', { name: '节点' }));
  const graph = within(await screen.findByRole('group', { name: '工作流图' }));
  await page.press(graph.getByRole('button', { name: /^乙/ }));
  expect(screen.getByText('?id=72')).toBeTruthy();
});
