import { Button, Select } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Can, Dialogs, Http, SidePanel, Toasts, useMutation, usePageStore, useService, useStore, useTranslation } from '#kernel';
import type { RowOf } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { administratorAlias, Member, type Role, roleMessages, titleOfRole } from '../contract.ts';
import styles from './access.module.css';
import { MemberStore } from './member-store.ts';

/** Returns the title of a field. */
const titleOf = (field: Parameters<typeof traitsOf>[0]): LocalizedText => traitsOf(field)?.title ?? ['', ''];

interface MemberPanelProps {
  readonly role: RowOf<typeof Role>;
  readonly onClose: () => void;
}

/** Panel that lists, adds and removes the members of a role. */
export function MemberPanel({ role, onClose }: MemberPanelProps) {
  const t = useTranslation();
  return (
    <SidePanel open title={t(roleMessages.membersOf, { name: t(titleOfRole(role)) })} width={640} onClose={onClose}>
      <Members role={role} />
    </SidePanel>
  );
}

function Members({ role: { id: roleId, roleAlias } }: Pick<MemberPanelProps, 'role'>) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const store = usePageStore(() => new MemberStore(http, roleId));
  useEffect(() => store.loadOnce(), [store]);
  const { status, members, total } = useStore(store, (state) => state);
  const removeMember = async (id: string, name: string) => {
    const title = t(roleMessages.removeMember);
    const question = { title, content: t(roleMessages.removeQuestion, { name }), danger: true };
    if (await dialogs.confirm(question)) await store.removeMember(id);
  };
  if (status === 'failed') return <p role="alert">{t(roleMessages.failed)}</p>;
  const { account, realName, deptName } = Member.properties;
  return (
    <>
      {roleAlias !== administratorAlias && (
        <Can code="role_grant">
          <AddMembers store={store} />
        </Can>
      )}
      {status === 'ready' && total === 0 ? (
        <p className={styles.state}>{t(roleMessages.noMembers)}</p>
      ) : (
        <table className={styles.members} aria-busy={status === 'loading'}>
          <thead>
            <tr>
              {[account, realName, deptName].map((field) => (
                <th key={titleOf(field)[0]}>{t(titleOf(field))}</th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>{member.account}</td>
                <td>{member.realName}</td>
                <td>{member.deptName}</td>
                <td>
                  <Can code="role_grant">
                    <Button type="text" size="small" status="danger" onClick={() => void removeMember(member.id, member.realName)}>
                      {t(roleMessages.removeMember)}
                    </Button>
                  </Can>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {members.length < total && (
        <p className={styles.state}>
          <Button onClick={() => void store.load()}>{t(roleMessages.more)}</Button>
        </p>
      )}
    </>
  );
}

/** Searches users by name and adds them to the role. */
function AddMembers({ store }: { readonly store: MemberStore }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const candidates = useStore(store, (state) => state.candidates);
  const [selected, setSelected] = useState<readonly { readonly value: string; readonly label: string }[]>([]);
  const { isPending, mutate } = useMutation(() => store.addMembers(selected.map(({ value }) => value)), {
    onSuccess: () => {
      toasts.success(t(roleMessages.membersAdded, { count: selected.length }));
      setSelected([]);
    },
  });
  return (
    <div className={styles.addMembers}>
      <Select
        mode="multiple"
        labelInValue
        showSearch
        filterOption={false}
        aria-label={t(roleMessages.candidates)}
        placeholder={t(roleMessages.candidates)}
        notFoundContent={<p className={styles.state}>{t(roleMessages.noCandidates)}</p>}
        options={candidates.map(({ id, account, realName, deptName }) => ({ value: id, label: [realName, account, deptName].filter(Boolean).join(' · ') }))}
        value={[...selected]}
        onVisibleChange={(isOpen) => isOpen && void store.find('')}
        onSearch={(text) => void store.find(text)}
        onChange={(options: { value: string; label: string }[]) => setSelected(options)}
      />
      <Button type="primary" loading={isPending} disabled={selected.length === 0} onClick={() => void mutate()}>
        {t(roleMessages.addMembers)}
      </Button>
    </div>
  );
}
