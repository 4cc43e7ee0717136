import { Select } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Http, useService, useStore, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { everyTenant, plugins } from '../contract.ts';
import { words } from './messages.ts';
import styles from './plugins.module.css';
import type { PluginsStore } from './plugins-store.ts';

/** Selects the scope of the switches: all tenants, or one found by its name or code. */
export function ScopeSelect({ store }: { readonly store: PluginsStore }) {
  const http = useService(Http);
  const t = useTranslation();
  const { place } = useStore(store, (state) => state);
  const [name, setName] = useState('');
  const [tenants, setTenants] = useState<ReplyOf<typeof plugins.tenants>>([]);
  useEffect(() => {
    const leaving = new AbortController();
    http
      .send(plugins.tenants, { name }, { quiet: true, signal: leaving.signal })
      .then((answer) => !leaving.signal.aborted && answer.success && setTenants(answer.data))
      .catch(() => undefined);
    return () => leaving.abort();
  }, [http, name]);
  const options = [{ value: everyTenant, label: t(words.everyTenant) }, ...tenants.map(({ id, name }) => ({ value: id, label: `${name} · ${id}` }))];
  return (
    <div className={styles.place}>
      <Select
        aria-label={t(words.place)}
        showSearch
        filterOption={false}
        options={options.some(({ value }) => value === place) ? options : [...options, { value: place, label: place }]}
        value={place}
        onSearch={setName}
        onChange={(chosen: string) => {
          store.choose(chosen, tenants.find(({ id }) => id === chosen)?.name);
          setName('');
        }}
      />
    </div>
  );
}
