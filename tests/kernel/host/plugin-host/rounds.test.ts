import { expect, test } from '@rstest/core';
import { plugins as deployed } from '#deployment/console';
import { MittBus } from '../../../../src/kernel/base/bus/mitt-bus.ts';
import type { LoadablePlugin } from '../../../../src/kernel/host/plugin/plugin.ts';
import { HomePanels, PaletteActions, SettingsSections } from '../../../../src/kernel/workbench/slots.ts';
import { testKernel } from '../../../support/test-kernel.ts';

/** Core plugins are disabled here as well: they must release their resources like all others. */
const mayLeave = ({ id, load }: LoadablePlugin): LoadablePlugin => ({ id, load: async () => ({ default: { ...(await load()).default, core: false } }) });

/** The builder also fails the test on any timer or listener that is left. */
test('fifty rounds of disabling and enabling every plugin of the deployment leave nothing behind', async () => {
  const { host, container, get } = await testKernel({ plugins: deployed.map(mayLeave), phaseTimeoutMs: 5000 });
  const standing = () => ({
    running: host.states.filter(({ status }) => status === 'running').map(({ id }) => id),
    containers: container.childCount,
    listeners: get(MittBus).size,
    pages: host.registeredPages.all.length,
    fillings: [HomePanels, PaletteActions, SettingsSections].map((slot) => host.slots.in<unknown>(slot).length),
    styles: document.querySelectorAll('style, link[rel=stylesheet]').length,
  });
  const before = standing();
  expect(before.running).toEqual(deployed.map(({ id }) => id));
  for (let round = 0; round < 50; round++) {
    for (const { id } of deployed) {
      expect(await host.disable(id)).toBe(true);
      expect(host.registeredPages.all.filter(({ pluginId }) => pluginId === id)).toEqual([]);
      expect(await host.enable(id)).toBe(true);
    }
  }
  expect(standing()).toEqual(before);
  for (const { id } of deployed) await host.disable(id);
  expect(standing()).toMatchObject({ running: [], containers: 0, pages: 0, fillings: [0, 0, 0] });
  expect(host.states.flatMap(({ faults }) => (faults > 0 ? [faults] : []))).toEqual([]);
});
