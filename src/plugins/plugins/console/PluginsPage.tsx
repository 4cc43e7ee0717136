import { Button, Input, Select } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { containsTyped, Http, Live, PluginHost, Session, usePageStore, usePinyin, useQuery, useService, useStore, useStream, useTranslation } from '#kernel';
import { PluginsSwitched } from '#shared/disabled-plugins';
import { everyTenant, type PluginRow, plugins } from '../contract.ts';
import { consoleOnlyRows, isDown } from './console-rows.ts';
import { pluginMessages } from './messages.ts';
import { PluginItem } from './PluginItem.tsx';
import styles from './plugins.module.css';
import { PluginsStore } from './plugins-store.ts';

/**
 * Lists the plugins of the deployment. Top task: disable a plugin for my tenant without surprises, 2 clicks (its switch, 停用): the confirmation names the plugins, pages and
 * jobs that are disabled with it.
 */
export default function PluginsPage() {
  const http = useService(Http);
  const live = useService(Live);
  const host = useService(PluginHost);
  const { user } = useService(Session);
  const t = useTranslation();
  const isPlatformAdministrator = user?.tenant_id === '000000' && user.role_name.split(',').includes('administrator');
  const store = usePageStore(() => new PluginsStore(http, isPlatformAdministrator ? everyTenant : (user?.tenant_id ?? '')));
  const { rows: served, status, query, scope } = useStore(store, (state) => state);
  const states = useStream(host.states$, host.states);
  const rows = status === 'ready' ? [...served, ...consoleOnlyRows(host, served, scope)] : served;
  useEffect(() => {
    void store.load();
    const following = live.stream(PluginsSwitched).subscribe(() => void store.load());
    return () => following.unsubscribe();
  }, [store, live]);
  usePinyin(query !== '');
  const found = rows.filter(({ id, title }) => [id, ...title].some((text) => containsTyped(text, query)));
  const isRunning = ({ id, state }: PluginRow) => state === 'running' && !isDown(states.find((one) => one.id === id));
  const counts = { running: rows.filter(isRunning).length, off: rows.filter(({ state }) => state === 'off').length };
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        {isPlatformAdministrator && <ScopeSelect store={store} />}
        <div className={styles.find}>
          <Input.Search
            allowClear
            placeholder={t(pluginMessages.find)}
            aria-label={t(pluginMessages.find)}
            value={query}
            onChange={(text) => store.search(text)}
          />
        </div>
        <span className={styles.counts}>{status === 'ready' && t(pluginMessages.count, counts)}</span>
      </div>
      {status === 'failed' && (
        <p className={styles.empty} role="alert">
          {t(pluginMessages.failed)}{' '}
          <Button type="text" onClick={() => void store.load()}>
            {t(pluginMessages.again)}
          </Button>
        </p>
      )}
      <ul className={styles.list} aria-busy={status === 'loading'}>
        {found.map((row) => (
          <PluginItem key={row.id} row={row} store={store} here={states.find(({ id }) => id === row.id)} />
        ))}
      </ul>
      {status === 'ready' && found.length === 0 && <p className={styles.empty}>{t(pluginMessages.nothingFound)}</p>}
    </div>
  );
}

/** Selects the scope of the switches: all tenants, or one found by its name or code. */
function ScopeSelect({ store }: { readonly store: PluginsStore }) {
  const t = useTranslation();
  const { scope } = useStore(store, (state) => state);
  const [name, setName] = useState('');
  const { data: tenants = [] } = useQuery(plugins.tenants, { name }, { quiet: true, keepPreviousData: true });
  const options = [{ value: everyTenant, label: t(pluginMessages.everyTenant) }, ...tenants.map(({ id, name }) => ({ value: id, label: `${name} · ${id}` }))];
  return (
    <div className={styles.place}>
      <Select
        aria-label={t(pluginMessages.scope)}
        showSearch
        filterOption={false}
        options={options.some(({ value }) => value === scope) ? options : [...options, { value: scope, label: scope }]}
        value={scope}
        onSearch={setName}
        onChange={(selected: string) => {
          store.selectScope(selected, tenants.find(({ id }) => id === selected)?.name);
          setName('');
        }}
      />
    </div>
  );
}
