import { afterEach, expect, test } from '@rstest/core';
import { testKernel } from '../../../support/test-kernel.ts';
import { named, statuses } from './plugins.ts';

afterEach(() => localStorage.clear());

test('a console leaves such a plugin out with who needs it, never a core one, and tries it when told to', async () => {
  let works = false;
  const shaky = named('shaky', {
    start: () => {
      if (!works) throw new Error('no');
    },
  });
  localStorage.setItem('test-plugin-failures', JSON.stringify({ build: process.env.MARQUEE_BUILD ?? '', failures: { shaky: 3, heart: 9 } }));
  const { host } = await testKernel({ plugins: [shaky, named('bound', { dependencies: ['shaky'] }), named('heart', { core: true })] });
  expect(statuses(host)).toEqual({ shaky: 'quarantined: crash-looping', bound: 'skipped: dependency', heart: 'running' });
  works = true;
  expect(await host.enable('shaky')).toBe(true);
  expect(statuses(host)).toEqual({ shaky: 'running', bound: 'running', heart: 'running' });
});
