import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { jobInfo, jobWorkflow } from '#plugins/job/contract';
import { WorkflowEditor } from '../../../../src/plugins/job/console/WorkflowEditor.tsx';
import { WorkflowRuns } from '../../../../src/plugins/job/console/WorkflowRuns.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const nodes = ['甲', '乙', '丙'].map((jobName, place) => ({ nodeId: `n${place + 1}`, jobInfoId: String(place + 1), jobName }));
const edges = [{ from: 'n1', to: 'n2' }];
afterEach(cleanup);

test('nodes are connected and parted by pointer, keyboard and table alike, never in a circle, and what is drawn is sent', async () => {
  const page = await showPage(<WorkflowEditor of={{ id: '5', jobServerId: '9' } as never} />, {
    answers: {
      [jobWorkflow.graph.path]: () => ({ nodes, edges }),
      [jobInfo.list.path]: () => ({ records: [], total: 0 }),
      [jobWorkflow.draw.path]: () => null,
    },
  });
  const graph = within(await screen.findByRole('group', { name: '工作流图' }));
  const node = (name: string) => graph.getByRole('button', { name });
  await page.press(node('乙'));
  expect(node('乙').getAttribute('aria-pressed')).toBe('true');
  await page.press(node('甲'));
  expect(page.said).toEqual(['warning: 不能连成环']);
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
  expect(page.inputs(jobWorkflow.draw)).toEqual([{ id: '5', nodes: sent, edges: [...edges, { from: 'n2', to: 'n3' }] }]);
  node('乙').focus();
  await page.user.keyboard('{Delete}');
  expect(graph.getAllByRole('button')).toHaveLength(2);
});

test('a run shows how far each node is, and what has failed can be tried again', async () => {
  const run = { id: '8', state: 4, nodes: nodes.map((node, place) => ({ ...node, state: [5, 4, null][place], instanceId: null })), edges };
  const page = await showPage(
    <MemoryRouter>
      <WorkflowRuns of="5" />
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
  expect(shown.map((node) => node.getAttribute('aria-label'))).toEqual(['甲 · Succeeded', '乙 · Failed', '丙 · Not begun']);
  await page.press(screen.getByRole('button', { name: 'Try failed nodes again' }));
  expect(page.inputs(jobWorkflow.retry)).toEqual([{ id: '8' }]);
});
