import { Dialogs, PluginHost, Session, Toasts, useService, useWords } from '#kernel';
import { everyTenant, type PluginRow } from '../contract.ts';
import type { PluginsStore } from './plugins-store.ts';
import { whatGoes } from './what-goes.ts';
import { words } from './words.ts';

/** Switching a plugin: what goes with it is named first, and unsaved changes in this browser are asked about before anything happens. */
export function useTurning(store: PluginsStore, row: PluginRow) {
  const host = useService(PluginHost);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const { user } = useService(Session);
  const say = useWords();
  const plugin = say(row.title);

  const turnOff = async () => {
    const { place, tenant, rows } = store.state;
    const isHere = place === everyTenant || place === user?.tenant_id;
    const content = whatGoes(row, rows, { place: isHere && place !== everyTenant ? undefined : place, tenant: tenant ?? place }, say);
    const confirm = say(words.switchOff);
    if (!(await dialogs.confirm({ title: say(words.question, { plugin }), content, confirm, cancel: say(words.keep), danger: true }))) return;
    const isUp = isHere && host.states.some(({ id, status }) => id === row.id && status === 'running');
    if (isUp && !(await host.disable(row.id))) return;
    if (await store.turn(row.id, false)) toasts.success(say(words.switchedOff, { plugin }));
    else if (isUp) await host.enable(row.id);
  };
  const turnOn = async () => {
    if (await store.turn(row.id, true)) toasts.success(say(words.switchedOn, { plugin }));
  };
  return {
    turn: (on: boolean) => (on ? turnOn() : turnOff()),
    retryServer: async () => {
      if (await store.retry(row.id)) toasts.success(say(words.retriesNext));
    },
    retry: async () => {
      const runs = await host.enable(row.id);
      if (runs) toasts.success(say(words.retried));
      else toasts.warning(say(words.stillFails));
    },
  };
}
