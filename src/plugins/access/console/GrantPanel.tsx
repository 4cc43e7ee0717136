import { Button, Input } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { SidePanel, Toasts, usePageStore, useService, useStore, useTranslation, useUnsavedChanges } from '#kernel';
import { roleMessages } from '../contract.ts';
import styles from './access.module.css';
import { matching } from './grant-selection.ts';
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
  useEffect(() => store.loadOnce(), [store]);
  const { status, forest, before, selected, isSaving } = useStore(store, (state) => state);
  const [text, setText] = useState('');
  const addedCount = [...selected].filter((id) => !before.has(id)).length;
  const removedCount = [...before].filter((id) => !selected.has(id)).length;
  useUnsavedChanges(addedCount + removedCount > 0);
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
        <Button onClick={() => store.selectAll(true)}>{t(roleMessages.all)}</Button>
        <Button onClick={() => store.selectAll(false)}>{t(roleMessages.none)}</Button>
        <span className={styles.count}>{t(roleMessages.selected, { count: selected.size })}</span>
      </div>
      <PermissionTree branches={matching(forest, text)} selected={selected} onToggle={(id) => store.toggle(id)} />
      <div className={styles.foot}>
        <span className={styles.changes} aria-live="polite">
          {addedCount > 0 && <span className={styles.added}>{t(roleMessages.added, { count: addedCount })}</span>}
          {removedCount > 0 && <span className={styles.removed}>{t(roleMessages.removed, { count: removedCount })}</span>}
        </span>
        <Button onClick={onClose}>{t('shell.cancel')}</Button>
        <Button type="primary" loading={isSaving} disabled={status !== 'ready' || addedCount + removedCount === 0} onClick={() => void save()}>
          {t(roleMessages.save)}
        </Button>
      </div>
    </div>
  );
}
