import { expect, test } from '@rstest/core';
import { contribute, slot } from '../../../../src/kernel/ui/slots/slots.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { named, pageOf, statuses } from '../../host/plugin-host/plugins.ts';

const Badges = slot<string>('test:badges');

test('contributions to a slot exist while their plugin runs, in dependency order', async () => {
  const plugins = [
    named('late', { dependencies: ['early'], contributions: [contribute(Badges, 'second'), contribute(Badges, 'third')] }),
    named('early', { contributions: [contribute(Badges, 'first')] }),
  ];
  const { host } = await testKernel({ plugins });
  const standing = () => host.slots.in(Badges).map(({ key, part }) => `${key} ${part}`);
  expect(standing()).toEqual(['early.0 first', 'late.0 second', 'late.1 third']);

  const before = host.slots.in(Badges);
  await host.disable('late');
  expect(standing()).toEqual(['early.0 first']);
  await host.disable('early');
  expect(standing()).toEqual([]);
  await host.enable('early');
  await host.enable('late');
  expect(standing()).toEqual(['early.0 first', 'late.0 second', 'late.1 third']);
  expect(host.slots.in(Badges)[0]?.services).not.toBe(before[0]?.services);
});

test('an unchanged slot keeps its list while other plugins start and stop', async () => {
  const { host } = await testKernel({ plugins: [named('a', { contributions: [contribute(Badges, 'one')] }), named('b', { pages: [pageOf('b')] })] });
  const before = host.slots.in(Badges);
  await host.disable('b');
  expect(host.slots.in(Badges)).toBe(before);
});

test('a plugin that fails while it starts contributes nothing', async () => {
  const broken = named('broken', {
    contributions: [contribute(Badges, 'never')],
    start: () => {
      throw new Error('no');
    },
  });
  const { host } = await testKernel({ plugins: [broken] });
  expect(host.slots.in(Badges)).toEqual([]);
});

test('a page replaces another plugin’s while its plugin runs', async () => {
  const theirs = pageOf('shared');
  const ours = { ...theirs, load: () => Promise.resolve({ default: () => 'ours' }) };
  const { host } = await testKernel({ plugins: [named('owner', { pages: [theirs] }), named('guest', { overrides: [ours] })] });
  const owner = () => host.registeredPages.find({ code: 'shared' })?.pluginId;
  expect(owner()).toBe('guest');
  await host.disable('guest');
  expect(owner()).toBe('owner');
  await host.enable('guest');
  expect(owner()).toBe('guest');
  await host.disable('owner');
  expect(owner()).toBe('guest');
});

test.each([
  ['contributions', [{ part: 1 }]],
  ['overrides', [{ menu: {} }]],
])('invalid %s make a plugin malformed', async (name, value) => {
  const { host } = await testKernel({ plugins: [named('odd', { [name]: value } as never)] });
  expect(statuses(host)).toEqual({ odd: 'quarantined: malformed' });
});
