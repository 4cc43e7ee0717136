import { Button } from '@arco-design/web-react';
import { useEffect } from 'react';
import { Can, Dialogs, Http, SidePanel, usePageStore, useService, useStore, useWords } from '#kernel';
import type { RowOf } from '#shared/contract';
import { administratorAlias, Member, type Role, roleWords } from '../contract.ts';
import { AddMembers } from './AddMembers.tsx';
import styles from './access.module.css';
import { MemberStore } from './member-store.ts';
import { titleOf } from './titles.ts';

interface MemberPanelProps {
  readonly of: RowOf<typeof Role>;
  readonly onClose: () => void;
}

/** Panel that lists, adds and removes the members of a role. */
export function MemberPanel({ of, onClose }: MemberPanelProps) {
  const say = useWords();
  return (
    <SidePanel open title={say(roleWords.membersOf, { name: of.roleName })} width={640} onClose={onClose}>
      <Members of={of} />
    </SidePanel>
  );
}

function Members({ of: { id: roleId, roleAlias } }: Pick<MemberPanelProps, 'of'>) {
  const say = useWords();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const store = usePageStore(() => new MemberStore(http, roleId));
  useEffect(() => store.begin(), [store]);
  const { status, members, total } = useStore(store, (state) => state);
  const removeMember = async (id: string, name: string) => {
    const title = say(roleWords.dismiss);
    const question = { title, content: say(roleWords.dismissQuestion, { name }), confirm: title, cancel: say(roleWords.cancel), danger: true };
    if (await dialogs.confirm(question)) await store.removeMember(id);
  };
  if (status === 'failed') return <p role="alert">{say(roleWords.failed)}</p>;
  const { account, realName, deptName } = Member.properties;
  return (
    <>
      {roleAlias !== administratorAlias && (
        <Can code="role_grant">
          <AddMembers store={store} />
        </Can>
      )}
      {status === 'ready' && total === 0 ? (
        <p className={styles.state}>{say(roleWords.noMembers)}</p>
      ) : (
        <table className={styles.members} aria-busy={status === 'loading'}>
          <thead>
            <tr>
              {[account, realName, deptName].map((field) => (
                <th key={titleOf(field)[0]}>{say(titleOf(field))}</th>
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
                      {say(roleWords.dismiss)}
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
          <Button onClick={() => void store.more()}>{say(roleWords.more)}</Button>
        </p>
      )}
    </>
  );
}
