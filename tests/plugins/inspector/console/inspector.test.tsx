import { expect, test } from '@rstest/core';
import { screen, within } from '@testing-library/react';
import { Bus, contribute, definePlugin, PaletteActions, page, Store } from '#kernel';
import { answer, createPluginHarness } from '#kit/console';
import { serverContributions } from '#plugins/inspector/contract';
import { event } from '#shared/contract';
import { menu } from '#shared/menu-entry';
import { menuRoutes } from '#shared/menus';
import inspectorPlugin from '../../../../src/plugins/inspector/console/plugin.ts';

import { menuItem } from '../../../support/test-kernel.ts';

const Lit = event<{ name: string; password: string }>('lamp:lit');
const Seen = event<{ name: string }>('lamp:seen');
const lampMenu = menu({ code: 'lamp', title: ['灯具', 'Lamps'], path: '/base/lamp' });
const homeMenu = menu({ code: 'home', title: ['首页', 'Home'], path: '/wel' });
const atticMenu = menu({ code: 'attic', title: ['阁楼', 'Attic'], path: '/base/attic' });
const darkMenu = menu({ code: 'dark', title: ['暗室', 'Darkroom'], path: '/base/dark' });

class LampStore extends Store<{ lit: string }> {
  constructor(bus: Bus) {
    super({ lit: 'none' });
    bus.on(Lit, ({ name }) =>
      this.update((draft) => {
        draft.lit = name;
        return undefined;
      }),
    );
  }
}

const lamp = definePlugin({
  id: 'lamp',
  title: ['灯具', 'Lamps'],
  dependencies: ['base'],
  provide: (provide) => provide(LampStore, [Bus]),
  pages: [
    page(lampMenu, async () => ({ default: () => null })),
    page(homeMenu, async () => ({ default: () => null })),
    page(atticMenu, async () => ({ default: () => null })),
  ],
  contributions: [contribute(PaletteActions, { title: ['点亮', 'Light'], run: () => undefined })],
  start: ({ get, on }) => {
    get(LampStore);
    on(Lit, ({ name }) => get(Bus).emit(Seen, { name }));
  },
});

const dark = definePlugin({
  id: 'dark',
  title: ['暗室', 'Darkroom'],
  pages: [page(darkMenu, async () => ({ default: () => null }))],
  start: () => {
    throw new Error('fuse');
  },
});

const menuOf = [menuItem('lamp', { name: '灯具', path: '/base/lamp' }), menuItem('ghost', { name: '幽灵', path: '/base/ghost' })];

const onServer = [{ pluginId: 'lamp', kind: 'service', what: 'Dimmer', isOff: true } as const];

async function inspector() {
  const harness = await createPluginHarness(lamp, {
    dependencies: [dark, inspectorPlugin],
    answers: [answer(menuRoutes, menuOf), answer(serverContributions, onServer)],
  });
  await harness.open('/dev/kernel');
  const region = await screen.findByRole('region', { name: '内核检查器' });
  const go = (name: string) => harness.user.click(within(region).getByRole('button', { name }));
  const rowOf = (name: RegExp) => within(region).getByRole('row', { name });
  return { ...harness, region, go, rowOf };
}

test('plugins stand with their state, the time of each phase and the cause; what they contribute by kind', async () => {
  const { go, rowOf, region } = await inspector();
  expect(rowOf(/灯具 lamp running read [\d.]+ ms, wire/)).toBeTruthy();
  expect(rowOf(/暗室 dark quarantined .*fuse/)).toBeTruthy();
  await go('贡献');
  for (const name of [/页面 lamp · \/base\/lamp lamp/, /插槽 kernel:palette-actions · lamp\.0 lamp/, /监听事件 lamp:lit × 2 lamp/])
    expect(rowOf(name)).toBeTruthy();
  expect(await within(region).findByRole('row', { name: /提供服务（服务器） Dimmer lamp/ })).toHaveProperty('dataset.tone', 'warning');
  await go('依赖图');
  await within(region).findByRole('button', { name: 'dark · quarantined' });
});

test('why a menu is missing is answered in one view', async () => {
  const { go, rowOf } = await inspector();
  await go('菜单为何不显示');
  expect(rowOf(/灯具 lamp 已显示/)).toBeTruthy();
  expect(rowOf(/阁楼 attic 服务器未返回此菜单/)).toBeTruthy();
  expect(rowOf(/暗室 dark 插件未运行：在「start」阶段出错：fuse/)).toBeTruthy();
  expect(rowOf(/首页 home 已显示；每个控制台都有此地址/)).toBeTruthy();
  expect(rowOf(/幽灵 ghost 菜单中有此项，但本部署没有对应的插件/)).toBeTruthy();
});

test('events are listed with their cause and listeners; they can be paused, filtered and replayed, and contain no secrets', async () => {
  const { go, emit, user, region, get } = await inspector();
  await go('事件');
  emit(Lit, { name: 'first', password: 'hidden' });
  const items = () =>
    within(region)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(items()[0]).toMatch(/#2lamp:seen由 lamp 发出起因 #1无 接收/);
  expect(items()[1]).toMatch(/#1lamp:lit由 控制台 发出lamp 接收/);
  expect(region.textContent).not.toContain('hidden');
  await user.type(within(region).getByRole('textbox', { name: '筛选' }), 'lit');
  expect(items()).toHaveLength(1);
  await go('暂停');
  emit(Lit, { name: 'second', password: '' });
  expect(items()).toHaveLength(1);
  await go('继续');
  expect(items()).toHaveLength(2);
  await user.click(within(region).getAllByRole('button', { name: '重放' })[1] as HTMLElement);
  expect(get(LampStore).state.lit).toBe('first');
});

test('a store is shown with its past and goes back to it; containers with what each service is made with', async () => {
  const { go, emit, region, rowOf, get, user } = await inspector();
  emit(Lit, { name: 'first', password: '' });
  await go('状态仓库');
  await user.type(within(region).getByRole('textbox', { name: '筛选' }), 'LampStore');
  const slider = within(region).getAllByRole('slider', { name: 'LampStore' }).at(-1) as HTMLInputElement;
  const { fireEvent } = await import('@testing-library/react');
  fireEvent.change(slider, { target: { value: '0' } });
  await user.click(within(region).getAllByRole('button', { name: '回到此刻' }).at(-1) as HTMLElement);
  expect(get(LampStore).state.lit).toBe('none');
  await go('容器');
  await user.click(within(region).getByRole('button', { name: /^lamp \d/ }));
  expect(rowOf(/LampStore Bus ✓/)).toBeTruthy();
});

test('a user who is no administrator sees the reason', async () => {
  const harness = await createPluginHarness(inspectorPlugin, { isAdministrator: false });
  await harness.open('/dev/kernel');
  await screen.findByText('仅管理员可查看');
});
