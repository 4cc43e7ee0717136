import { Button, Select } from '@arco-design/web-react';
import { useState } from 'react';
import { Toasts, useService, useStore, useTranslation } from '#kernel';
import { roleMessages } from '../contract.ts';
import styles from './access.module.css';
import type { MemberStore } from './member-store.ts';

/** Searches users by name and adds them to the role. */
export function AddMembers({ store }: { readonly store: MemberStore }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const candidates = useStore(store, (state) => state.candidates);
  const [chosen, setChosen] = useState<readonly { readonly value: string; readonly label: string }[]>([]);
  const [isSaving, setIsSaving] = useState(false);
  const addMembers = async () => {
    setIsSaving(true);
    const isDone = await store.addMembers(chosen.map(({ value }) => value));
    setIsSaving(false);
    if (!isDone) return;
    toasts.success(t(roleMessages.enlisted, { count: chosen.length }));
    setChosen([]);
  };
  return (
    <div className={styles.enlisting}>
      <Select
        mode="multiple"
        labelInValue
        showSearch
        filterOption={false}
        aria-label={t(roleMessages.candidates)}
        placeholder={t(roleMessages.candidates)}
        notFoundContent={<p className={styles.state}>{t(roleMessages.noCandidates)}</p>}
        options={candidates.map(({ id, account, realName, deptName }) => ({ value: id, label: [realName, account, deptName].filter(Boolean).join(' · ') }))}
        value={[...chosen]}
        onVisibleChange={(isOpen) => isOpen && void store.find('')}
        onSearch={(text) => void store.find(text)}
        onChange={(picked: { value: string; label: string }[]) => setChosen(picked)}
      />
      <Button type="primary" loading={isSaving} disabled={chosen.length === 0} onClick={() => void addMembers()}>
        {t(roleMessages.enlist)}
      </Button>
    </div>
  );
}
