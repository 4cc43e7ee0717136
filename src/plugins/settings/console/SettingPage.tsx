import { Button, Input } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useCan, useQuery, useTranslation } from '#kernel';
import { paramMenu } from '../menus.ts';
import { type ParameterState, setting, settingMessages } from '../setting-contract.ts';
import { SettingRow } from './SettingRow.tsx';
import styles from './setting.module.css';

/** Lists all settings by group. Top task: find one by a word and change it, 2 clicks: edit, save. */
export default function SettingPage() {
  const t = useTranslation();
  const id = useId();
  const isWritable = useCan('setting_edit');
  const hasFullAccess = useCan(paramMenu.code);
  const { reply, hasFailed, reload } = useQuery(setting.list, {});
  const [query, setQuery] = useState('');
  if (hasFailed)
    return (
      <p role="alert">
        {t(settingMessages.failed)} <Button onClick={reload}>{t(settingMessages.retry)}</Button>
      </p>
    );
  const found = (reply ?? []).filter((one) => matches(one, query));
  const groups = new Set(found.map(({ group }) => group[1]));
  return (
    <div className={styles.page} aria-busy={!reply}>
      <div className={styles.head}>
        <label className={styles.hidden} htmlFor={id}>
          {t(settingMessages.search)}
        </label>
        <Input.Search id={id} className={styles.search ?? ''} value={query} onChange={setQuery} placeholder={t(settingMessages.search)} allowClear />
        <span role="status">{reply && t(settingMessages.found, { count: found.length })}</span>
        {hasFullAccess && <Link to={`${paramMenu.path}/index`}>{t(settingMessages.all)}</Link>}
      </div>
      {reply && found.length === 0 && <p className={styles.none}>{t(settingMessages.none)}</p>}
      {[...groups].map((group) => (
        <section key={group} className={styles.group}>
          <h2>{t(found.find((one) => one.group[1] === group)?.group ?? ['', ''])}</h2>
          <ul>
            {found
              .filter((one) => one.group[1] === group)
              .map((row) => (
                <SettingRow key={row.key} row={row} isWritable={isWritable} onChanged={reload} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Tells whether every word of the query occurs in the key or texts of a setting, in either language. */
function matches({ key, group, title, help, value }: ParameterState, query: string): boolean {
  const text = [key, ...group, ...title, ...help, value].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
