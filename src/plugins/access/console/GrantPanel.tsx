import { Button, Input } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { SidePanel, Toasts, usePageStore, useService, useStore, useTranslation, useUnsavedChanges } from '#kernel';
import { roleMessages } from '../contract.ts';
import styles from './access.module.css';
import { foundIn } from './grant-selection.ts';
import { type GrantSource, GrantStore } from './grant-store.ts';
import { PermissionTree } from './PermissionTree.tsx';

interface GrantPanelProps {
  readonly title: string;
  readonly source: GrantSource;
  readonly onClose: () => void;
}

/** Panel that selects the menu entries and buttons to grant. */
export function GrantPanel({ title, source, onClose }: GrantPanelProps) {
  return (
    <SidePanel open title={title} width={880} onClose={onClose}>
      <Grants source={source} onClose={onClose} />
    </SidePanel>
  );
}

function Grants({ source, onClose }: Omit<GrantPanelProps, 'title'>) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const store = usePageStore(() => new GrantStore(source));
  useEffect(() => store.begin(), [store]);
  const { status, forest, before, chosen, isSaving } = useStore(store, (state) => state);
  const [text, setText] = useState('');
  const added = [...chosen].filter((id) => !before.has(id)).length;
  const removedCount = [...before].filter((id) => !chosen.has(id)).length;
  useUnsavedChanges(added + removedCount > 0);
  const save = async () => {
    if (!(await store.save())) return;
    toasts.success(t(roleMessages.saved));
    onClose();
  };
  if (status === 'failed')
    return (
      <p role="alert" className={styles.state}>
        {t(roleMessages.failed)} <Button onClick={() => void store.load()}>{t(roleMessages.retry)}</Button>
      </p>
    );
  return (
    <div className={styles.grants} aria-busy={status === 'loading'}>
      <div className={styles.tools}>
        <Input className={styles.find ?? ''} allowClear value={text} onChange={setText} placeholder={t(roleMessages.find)} aria-label={t(roleMessages.find)} />
        <Button onClick={() => store.all(true)}>{t(roleMessages.all)}</Button>
        <Button onClick={() => store.all(false)}>{t(roleMessages.none)}</Button>
        <span className={styles.count}>{t(roleMessages.chosen, { count: chosen.size })}</span>
      </div>
      <PermissionTree branches={foundIn(forest, text)} chosen={chosen} onToggle={(id) => store.toggle(id)} />
      <div className={styles.foot}>
        <span className={styles.changes} aria-live="polite">
          {added > 0 && <span className={styles.added}>{t(roleMessages.added, { count: added })}</span>}
          {removedCount > 0 && <span className={styles.taken}>{t(roleMessages.taken, { count: removedCount })}</span>}
        </span>
        <Button onClick={onClose}>{t(roleMessages.cancel)}</Button>
        <Button type="primary" loading={isSaving} disabled={status !== 'ready' || added + removedCount === 0} onClick={() => void save()}>
          {t(roleMessages.save)}
        </Button>
      </div>
    </div>
  );
}
