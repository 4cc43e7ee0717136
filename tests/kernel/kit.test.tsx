import { expect, test } from '@rstest/core';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { plugins as deployed } from '#deployment/console';
import { Bus, definePlugin, Http, page, Toasts, useService } from '#kernel';
import { answer, createPluginHarness, formOf, pageOf, pluginContract, rowOf } from '#kit/console';
import { crud, entity, event } from '#shared/contract';
import { Email, Id, Nullable, Select, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { objectProblem } from '#shared/validation';

const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'] }),
  maker: Email({ title: ['厂商', 'Maker'] }),
  colour: Select({ title: ['颜色', 'Colour'], options: [[2, ['红', 'Red']]] }),
  remark: Nullable(Text({ title: ['备注', 'Remark'] })),
});
const lamp = crud('/api/shop/lamp', Lamp);
const Lit = event<{ name: string }>('lamp:lit');
const lampMenu = menu({ code: 'lamp', title: ['灯具', 'Lamps'], path: '/base/lamp' });

class Lamps {
  readonly lit: string[] = [];
  readonly undo;
  constructor(
    readonly http: Http,
    bus: Bus,
  ) {
    this.undo = bus.on(Lit, ({ name }) => void this.lit.push(name));
  }
}

function LampPage() {
  const { http, lit } = useService(Lamps);
  const [names, setNames] = useState<string[]>([]);
  const look = async () => setNames(((await http.send(lamp.list, { current: 1 })).data?.records ?? []).map(({ name }) => name));
  return <button type="button" onClick={look}>{`${names.join()} · ${lit.join()}`}</button>;
}

const plugin = definePlugin({
  id: 'lamp',
  title: ['灯具', 'Lamps'],
  dependencies: ['base'],
  provide: (provide) => provide(Lamps, [Http, Bus]),
  pages: [page(lampMenu, async () => ({ default: LampPage }))],
  start: ({ get, on }) => {
    get(Lamps);
    on(Lit, ({ name }) => get(Toasts).info(name));
  },
});

pluginContract(plugin);

test('a plugin is tested in a real console with a scripted server', async () => {
  const harness = await createPluginHarness(plugin, { answers: [answer(lamp.list, pageOf(rowOf(Lamp, { name: '聚光灯' })) as never)] });
  expect(harness.state.status).toBe('running');
  harness.emit(Lit, { name: 'first' });
  await harness.open(lampMenu);
  await harness.user.click(await screen.findByRole('button', { name: '· first' }));
  await screen.findByRole('button', { name: '聚光灯 · first' });
  expect(harness.inputs(lamp.list)).toEqual([{ current: '1' }]);
  expect(harness.toasts).toEqual(['info first']);
  expect(await harness.disable()).toBe(true);
  expect(harness.state.status).toBe('disabled');
  expect(await harness.enable()).toBe(true);
});

test('fixtures match their schemas', () => {
  expect(objectProblem(Lamp.form, formOf(Lamp, { remark: 'r' }))).toBeUndefined();
  const Coded = entity('coded', { id: Id(), code: Text({ title: ['编码', 'Code'], pattern: '^[A-Z]{4}$' }) });
  expect(() => formOf(Coded)).toThrow('No valid code of coded can be made (Code has an invalid format). State one: formOf(…, { code: … }).');
  expect(formOf(Coded, { code: 'LAMP' })).toEqual({ code: 'LAMP' });
  expect(rowOf(Lamp, { id: '7' })).toMatchObject({ id: '7', colour: 2, remark: null, maker: 'sample@example.com' });
});

for (const { load } of deployed) pluginContract((await load()).default, {});
