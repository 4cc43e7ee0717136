import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { useService } from '../../../../src/kernel/base/react/services.tsx';
import type { Panel } from '../../../../src/kernel/ui/slots/Panels.tsx';
import { contribute, type RegisteredContribution, Slots } from '../../../../src/kernel/ui/slots/slots.ts';
import { HomeContributions } from '../../../../src/kernel/workbench/home/Home.tsx';
import { HomePanels } from '../../../../src/kernel/workbench/slots.ts';
import { expectConsoleError } from '../../../support/console-errors.ts';
import { showPage } from '../../../support/crud-screen.tsx';

class Till {
  constructor(readonly name: string) {}
}

const Own = () => <p>{useService(Till).name}</p>;
const Sound = () => <p>sound</p>;

let fails = true;
function Shaky() {
  if (fails) throw new Error('no');
  return <p>again</p>;
}

const panel = (title: string, content: Panel['load'], code?: string): Panel => ({ title: [title, title], load: content, ...(code ? { code } : {}) });

function filledBy(pluginId: string, part: Panel): RegisteredContribution {
  const till = new Till(pluginId);
  return { ...contribute(HomePanels, part), pluginId, pluginTitle: [pluginId, pluginId], services: { get: () => till as never } };
}

beforeEach(cleanup);

test('panels are on the first page with the services of their plugins, for users with their codes', async () => {
  const slots = new Slots(() => undefined);
  slots.setContributions([
    filledBy(
      'a',
      panel('A', async () => ({ default: Own })),
    ),
    filledBy(
      'b',
      panel('B', async () => ({ default: Own }), 'b_code'),
    ),
    filledBy(
      'c',
      panel('C', async () => ({ default: Own }), 'c_code'),
    ),
  ]);
  const { codes$, settle } = await showPage(<HomeContributions />, { answers: {}, slots, codes: ['b_code'] });
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['A', 'B']);
  expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual(['a', 'b']);
  codes$.next(new Set(['c_code']));
  await settle();
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['A', 'C']);
});

test('a panel that fails shows an error in its place, is reported, and does not affect others', async () => {
  expectConsoleError(/Error: no\n/);
  const reported: string[] = [];
  const slots = new Slots((pluginId) => reported.push(pluginId));
  slots.setContributions([
    filledBy(
      'shaky',
      panel('Shaky', async () => ({ default: Shaky })),
    ),
    filledBy(
      'sound',
      panel('Sound', async () => ({ default: Sound })),
    ),
  ]);
  const { press } = await showPage(<HomeContributions />, { answers: {}, slots });
  expect(screen.getByRole('alert').textContent).toContain('「shaky」在此处的内容无法显示');
  expect(screen.getByText('sound')).toBeTruthy();
  expect(new Set(reported)).toEqual(new Set(['shaky']));
  fails = false;
  await press(screen.getByRole('button', { name: '重试' }));
  expect(screen.getByText('again')).toBeTruthy();
});
