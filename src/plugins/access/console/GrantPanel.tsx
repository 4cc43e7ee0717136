import { Button, Checkbox, Input } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { SidePanel, Toasts, usePageStore, usePinyin, useService, useStore, useTranslation, useUnsavedChanges } from '#kernel';
import { roleMessages } from '../contract.ts';
import styles from './access.module.css';
import { extentOf, type GrantBranch, matching, type SelectedKeys } from './grant-selection.ts';
import { type GrantSource, GrantStore } from './grant-store.ts';

interface PermissionTreeProps {
  readonly branches: readonly GrantBranch[];
  readonly selected: SelectedKeys;
  readonly onToggle: (id: string) => void;
}

/** Category of a menu entry that is a button. */
const buttonCategory = 2;

/** Tree of groups and their pages, each page in one row with its buttons. */
function PermissionTree(props: PermissionTreeProps) {
  return (
    <ul className={styles.branches}>
      {props.branches.map((branch) => (
        <li key={branch.id} className={isGroup(branch) ? styles.group : styles.page}>
          <Entry {...props} branch={branch} />
          {isGroup(branch) ? <PermissionTree {...props} branches={branch.children ?? []} /> : <Buttons {...props} branch={branch} />}
        </li>
      ))}
    </ul>
  );
}

interface EntryProps extends PermissionTreeProps {
  readonly branch: GrantBranch;
}

function Entry({ branch, selected, onToggle }: EntryProps) {
  const extent = extentOf(branch, selected);
  return (
    <Checkbox className={styles.entry ?? ''} checked={extent === 'all'} indeterminate={extent === 'some'} onChange={() => onToggle(branch.id)}>
      {branch.title}
    </Checkbox>
  );
}

function Buttons({ branch, selected, onToggle }: EntryProps) {
  return (
    <span className={styles.buttons}>
      {(branch.children ?? []).map(({ id, title }) => (
        <Checkbox key={id} checked={selected.has(id)} onChange={() => onToggle(id)} aria-label={`${branch.title}: ${title}`}>
          {title}
        </Checkbox>
      ))}
    </span>
  );
}

const isGroup = ({ children = [] }: GrantBranch) => children.some(({ category }) => category !== buttonCategory);

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
  const [search, setSearch] = useState('');
  usePinyin(search !== '');
  const shown = matching(forest, search);
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
        <Input
          className={styles.find ?? ''}
          allowClear
          value={search}
          onChange={setSearch}
          placeholder={t(roleMessages.find)}
          aria-label={t(roleMessages.find)}
        />
        <Button onClick={() => store.selectAll(true)}>{t(roleMessages.all)}</Button>
        <Button onClick={() => store.selectAll(false)}>{t(roleMessages.none)}</Button>
        <span className={styles.count}>{t(roleMessages.selected, { count: selected.size })}</span>
      </div>
      <PermissionTree branches={shown} selected={selected} onToggle={(id) => store.toggle(id, shown)} />
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
