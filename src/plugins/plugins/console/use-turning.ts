import { Dialogs, PluginHost, Session, Toasts, useService, useTranslation } from '#kernel';
import { everyTenant, type PluginRow } from '../contract.ts';
import { impactOfDisabling } from './impact-of-disabling.ts';
import { words } from './messages.ts';
import type { PluginsStore } from './plugins-store.ts';

/** Enables and disables a plugin. Disabling asks for a confirmation that lists its effects, and asks about unsaved changes in this browser first. */
export function useTurning(store: PluginsStore, row: PluginRow) {
  const host = useService(PluginHost);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const { user } = useService(Session);
  const t = useTranslation();
  const plugin = t(row.title);

  const turnOff = async () => {
    const { place, tenant, rows } = store.state;
    const isHere = place === everyTenant || place === user?.tenant_id;
    const content = impactOfDisabling(row, rows, { place: isHere && place !== everyTenant ? undefined : place, tenant: tenant ?? place }, t);
    const confirm = t(words.switchOff);
    if (!(await dialogs.confirm({ title: t(words.question, { plugin }), content, confirm, cancel: t(words.keep), danger: true }))) return;
    const isUp = isHere && host.states.some(({ id, status }) => id === row.id && status === 'running');
    if (isUp && !(await host.disable(row.id))) return;
    if (await store.setEnabled(row.id, false)) toasts.success(t(words.switchedOff, { plugin }));
    else if (isUp) await host.enable(row.id);
  };
  const turnOn = async () => {
    if (await store.setEnabled(row.id, true)) toasts.success(t(words.switchedOn, { plugin }));
  };
  return {
    turn: (on: boolean) => (on ? turnOn() : turnOff()),
    retryServer: async () => {
      if (await store.retry(row.id)) toasts.success(t(words.retriesNext));
    },
    retry: async () => {
      const runs = await host.enable(row.id);
      if (runs) toasts.success(t(words.retried));
      else toasts.warning(t(words.stillFails));
    },
  };
}
